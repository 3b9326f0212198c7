"""One message of a megabyte by mailbox."""
import sys

from simgrid import Actor, Engine, Host, Mailbox


def say(what):
    print(what, round(Engine.clock * 1e12), flush=True)


def sender():
    Mailbox.by_name("box").put("hello", 1000000)
    say("put")


def receiver():
    Mailbox.by_name("box").get()
    say("got")


engine = Engine(sys.argv)
engine.load_platform(sys.argv[1])
Actor.create("sender", Host.by_name("gpu0"), sender)
Actor.create("receiver", Host.by_name("gpu8"), receiver)
engine.run()

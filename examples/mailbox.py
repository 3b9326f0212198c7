"""An ordinary SimGrid program in Python: gpu0 sends a megabyte to gpu8 through a mailbox. It knows nothing of sgfabric;
`sgfabric exec -- /usr/bin/python3 examples/mailbox.py platforms/rack9.xml` runs it over the fabric."""
import sys

from simgrid import Actor, Engine, Host, Mailbox

BYTES = 1000000


def sender():
    Mailbox.by_name("box").put("a block", BYTES)


def receiver():
    text = Mailbox.by_name("box").get()
    print(f"gpu8 has {text} of {BYTES} bytes from gpu0 after {Engine.clock * 1e6:.3f} us", flush=True)


engine = Engine(sys.argv)
engine.load_platform(sys.argv[1])
Actor.create("sender", Host.by_name("gpu0"), sender)
Actor.create("receiver", Host.by_name("gpu8"), receiver)
engine.run()

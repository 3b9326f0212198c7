# The pools of examples/held.ini, as a picture:
#   gnuplot -e "csv='results/Held-#0-net-buff-stats-0.csv'; png='held.png'" examples/held.gp
set terminal pngcairo noenhanced size 900,450
set output png
set datafile separator ","
set key outside top center horizontal
set xlabel "time, us"
set ylabel "bytes"
rows(node, pool) = sprintf("< grep '%s,[0-9]*,%s' '%s'", node, pool, csv)
plot rows("sender", "TX_TC0_BUFFER") using ($3 * 1e6):8 with lines linewidth 2 title "sender, to send", \
     rows("receiver", "RX_TC0_BUFFER") using ($3 * 1e6):8 with lines linewidth 2 title "receiver, to take in", \
     288000 dashtype 2 title "pause", 144000 dashtype 2 title "resume"

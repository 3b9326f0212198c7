# What examples/lanes prints, as a picture:
#   gnuplot -e "csv='lanes.csv'; png='lanes.png'" examples/lanes.gp
set terminal pngcairo noenhanced size 900,900
set output png
set datafile separator ","
set key left top
set lmargin 9
set xrange [0:6000]
set multiplot layout 4,1
set ylabel "pool, %"
set yrange [0:110]
plot csv using 1:3 with lines linewidth 2 title "pool", 25 dashtype 2 title "penalty", 80 dashtype 2 title "pause", \
     100 dashtype 2 title "full"
set autoscale y
set ylabel "hold, us"
plot csv using 1:($4 / 1000) with lines linewidth 2 notitle
set ylabel "penalty"
plot csv using 1:5 with steps linewidth 2 notitle
set ylabel "frames"
set xlabel "time, us"
plot csv using 1:6 with steps linewidth 2 title "pauses sent", csv using 1:7 with steps linewidth 2 title "drops"
unset multiplot

# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 1406,936 font "sans,10.5" fontscale 2 linewidth 2 pointscale 2
set output "\056\057line\056png"
W = 703.0; H = 468.0
set label "\133\061\054 \064\054 \071\135" at screen 351.5/W, screen 1-24/H center font ",12.00"
set lmargin at screen 31/W; set rmargin at screen 671/W
set tmargin at screen 1-52/H; set bmargin at screen 1-432/H
set yrange [0.6799999999999999:9.32]
set format y "%.0f"; set ytics 2 font ",9.00" tc rgb "#303030"
set xrange [0:2]
set format x "%.0f"; set xtics 1 font ",9.00" tc rgb "#303030"
unset key; set border 3 lc rgb "#808080" lw 1; set grid lt 1 lc rgb "#e4e4e4" lw 1; set tics nomirror out scale 0.5 tc rgb "#303030"
$line0 << END
0 1
1 4
2 9
END
plot $line0 using 1:2 with linespoints pt 7 ps 0.7 pi 1 lc rgb "#0072b2" lw 2 dt 1
unset output

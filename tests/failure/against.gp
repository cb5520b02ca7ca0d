# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 1458,988 font "sans,10.5" fontscale 2 linewidth 2 pointscale 2
set output "\056\057against\056png"
W = 729.0; H = 494.0
set label "n \075 \063" at screen 364.5/W, screen 1-24/H center font ",12.00"
set lmargin at screen 57/W; set rmargin at screen 697/W
set tmargin at screen 1-52/H; set bmargin at screen 1-432/H
set yrange [0.9158625473064724:9.826802096525032]
set logscale y; set ytics ("\061" 1, "\062" 2, "\065" 5) font ",9.00"
set xrange [1:3]
set logscale x; set xtics ("\061" 1, "\062" 2) font ",9.00"
unset key; set border 3 lc rgb "#808080" lw 1; set grid lt 1 lc rgb "#e4e4e4" lw 1; set tics nomirror out scale 0.5 tc rgb "#303030"
set label "\133\061\054 \064\054 \071\135" at screen 22/W, screen 1-242/H center rotate by 90 tc rgb "#404040" font ",10.50"
set label "\133\061\054 \062\054 \063\135" at screen 377/W, screen 1-474/H center tc rgb "#404040" font ",10.50"
$line0 << END
1 1
2 4
3 9
END
plot $line0 using 1:2 with linespoints pt 7 ps 0.7 pi 1 lc rgb "#0072b2" lw 2 dt 1
unset output

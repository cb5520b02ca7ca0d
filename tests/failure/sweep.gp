# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 800,600 font "sans,10.5" fontscale 1.0362694300518134 linewidth 1.0362694300518134 pointscale 1.0362694300518134
set output "\056\057sweep\056png"
W = 772.0; H = 579.0
set label "temperature from \060\056\065 to \062 over X \063\303\227\070\073 scale sqrt\054 mask none\054 position none\054 heads \062" at screen 386/W, screen 1-24/H center font ",12.00"
set lmargin at screen 47/W; set rmargin at screen 478/W
set tmargin at screen 1-52/H; set bmargin at screen 1-517/H
set yrange [-0.04:1.04]
set format y "%.1f"; set ytics 0.2 font ",9.00" tc rgb "#303030"
set xrange [0.5:2]
set format x "%.1f"; set xtics 0.5 font ",9.00" tc rgb "#303030"
unset key; set border 3 lc rgb "#808080" lw 1; set grid lt 1 lc rgb "#e4e4e4" lw 1; set tics nomirror out scale 0.5 tc rgb "#303030"
set label "temperature \317\204" at screen 262/W, screen 1-559/H center tc rgb "#404040" font ",10.50"
set arrow from screen 494/W, screen 1-62/H to screen 542/W, screen 1-62/H nohead lc rgb "#0072b2" lw 2 dt 1
set label "" at screen 518/W, screen 1-62/H point pt 7 ps 0.7 lc rgb "#0072b2"
set label "entropy \057 ln n" at screen 550/W, screen 1-62/H left font ",9.00"
set arrow from screen 494/W, screen 1-82/H to screen 542/W, screen 1-82/H nohead lc rgb "#d55e00" lw 2 dt 2
set label "" at screen 518/W, screen 1-82/H point pt 5 ps 0.7 lc rgb "#d55e00"
set label "largest weight" at screen 550/W, screen 1-82/H left font ",9.00"
set arrow from screen 494/W, screen 1-102/H to screen 542/W, screen 1-102/H nohead lc rgb "#009e73" lw 2 dt 3
set label "" at screen 518/W, screen 1-102/H point pt 9 ps 0.7 lc rgb "#009e73"
set label "gradient \057 its largest\054 \060\056\065\061\061\067" at screen 550/W, screen 1-102/H left font ",9.00"
$line0 << END
0.5 0.5089880014309086
0.65 0.6493075382622896
0.8 0.7437375899915438
0.95 0.8073456679671875
1.1 0.8511414724907999
1.25 0.8821340256608812
1.4 0.9046723906217471
1.55 0.9214802349522665
1.7 0.9343001910467489
1.85 0.9442754716608959
2 0.9521751849190293
END
$line1 << END
0.5 0.9447594385007813
0.65 0.8833037813713889
0.8 0.8197457300593964
0.95 0.7624280946463565
1.1 0.7135150571222028
1.25 0.6725720226409048
1.4 0.6384058595327065
1.55 0.6097742196220328
1.7 0.5856034496941706
1.85 0.5650246314867187
2 0.5473517099912583
END
$line2 << END
0.5 1
0.65 0.9726888956013784
0.8 0.8981654489427419
0.95 0.8154086842967566
1.1 0.7380758440981867
1.25 0.6698553513641947
1.4 0.610863436701627
1.55 0.5600944781879276
1.7 0.5163193935493806
1.85 0.47839151308946803
2 0.44533057384812397
END
plot $line0 using 1:2 with linespoints pt 7 ps 0.7 pi 1 lc rgb "#0072b2" lw 2 dt 1, \
     $line1 using 1:2 with linespoints pt 5 ps 0.7 pi 1 lc rgb "#d55e00" lw 2 dt 2, \
     $line2 using 1:2 with linespoints pt 9 ps 0.7 pi 1 lc rgb "#009e73" lw 2 dt 3
unset output

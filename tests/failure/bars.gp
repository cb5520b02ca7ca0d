# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 1378,452 font "sans,10.5" fontscale 2 linewidth 2 pointscale 2
set output "\056\057bars\056png"
W = 689.0; H = 226.0
set label "entropy of each query\072 temperature \061\054 scale sqrt\054 mask none\054 position none\054 \012heads \061" at screen 344.5/W, screen 1-24/H center font ",12.00"
set lmargin at screen 59/W; set rmargin at screen 619/W
set tmargin at screen 1-72/H; set bmargin at screen 1-156/H
set yrange [2.5:-0.5]
set xrange [0:1.120584534441472]
set format x "%.1f"; set xtics 0.2 font ",9.00" tc rgb "#303030"
unset key; set border 3 lc rgb "#808080" lw 1; set grid xtics lt 1 lc rgb "#e4e4e4" lw 1; set tics nomirror out scale 0.5; unset ytics
set label "queries" at screen 22/W, screen 1-114/H center rotate by 90 tc rgb "#404040" font ",10.50"
set label "nats     \342\224\212 ln n\054 the most for n visible keys" at screen 339/W, screen 1-206/H center tc rgb "#404040" font ",10.50"
set object rectangle from first 0, first 0-0.35 to first 0.8100685959414362, first 0+0.35 fc rgb "#0072b2" fs solid noborder
set arrow from first 1.0986122886681098, first 0-0.5 to first 1.0986122886681098, first 0+0.5 nohead front lc rgb "#404040" lw 1.5 dt 3
set label "\060" at screen 51/W, first 0 right font ",10.50"
set label "\060\056\070\061\060\061" at screen 627/W, first 0 left font ",9.00"
set object rectangle from first 0, first 1-0.35 to first 0.7821954546683458, first 1+0.35 fc rgb "#0072b2" fs solid noborder
set arrow from first 1.0986122886681098, first 1-0.5 to first 1.0986122886681098, first 1+0.5 nohead front lc rgb "#404040" lw 1.5 dt 3
set label "\061" at screen 51/W, first 1 right font ",10.50"
set label "\060\056\067\070\062\062" at screen 627/W, first 1 left font ",9.00"
set object rectangle from first 0, first 2-0.35 to first 0.6887008822348164, first 2+0.35 fc rgb "#0072b2" fs solid noborder
set arrow from first 1.0986122886681098, first 2-0.5 to first 1.0986122886681098, first 2+0.5 nohead front lc rgb "#404040" lw 1.5 dt 3
set label "\062" at screen 51/W, first 2 right font ",10.50"
set label "\060\056\066\070\070\067" at screen 627/W, first 2 left font ",9.00"
plot NaN
unset output

# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 960,804 font "sans,10.5" fontscale 2 linewidth 2 pointscale 2
set output "\056\057weights\056png"
W = 480.0; H = 402.0
set label "weights\072 temperature \061\054 scale sqrt\054 mask none\054 \012position none\054 heads \061 \050before del Wq\054 del Wo\051" at screen 240/W, screen 1-24/H center font ",12.00"
set lmargin at screen 98/W; set rmargin at screen 362/W
set tmargin at screen 1-72/H; set bmargin at screen 1-336/H
set palette defined (0 "#181818", 1 "#2a2a2a", 2 "#3e3e3e", 3 "#525252", 4 "#686868", 5 "#7f7f7f", 6 "#969696", 7 "#aeaeae", 8 "#c6c6c6", 9 "#dfdfdf", 10 "#f9f9f9")
set cbrange [0:1]
set colorbox user origin screen 380/W, screen 1-336/H size screen 16/W, screen 264/H noborder
set format cb "%.1f"; set cbtics 0.2 font ",9.00" tc rgb "#303030"
set yrange [2.5:-0.5]
set xrange [-0.5:2.5]
unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "#808080" lw 1
set label "\060" at screen 90/W, first 0 right font ",10.50"
set label "\061" at screen 90/W, first 1 right font ",10.50"
set label "\062" at screen 90/W, first 2 right font ",10.50"
set label "\060" at first 0, screen 1-351/H center font ",10.50"
set label "\061" at first 1, screen 1-351/H center font ",10.50"
set label "\062" at first 2, screen 1-351/H center font ",10.50"
set label "queries" at screen 67/W, screen 1-204/H center rotate by 90 tc rgb "#404040" font ",10.50"
set label "keys" at screen 230/W, screen 1-380/H center tc rgb "#404040" font ",10.50"
$cells << END
0.9932422267939307 0.0011212245173591344 0.005636548688710072
0.4919891273297282 0.3590680318663974 0.14894284080387424
0.30762909346678213 0.018525539158270817 0.6738453673749469
END
$numbers << END
0 0 0.993 0
1 0 0.001 16777215
2 0 0.006 16777215
0 1 0.492 0
1 1 0.359 16777215
2 1 0.149 16777215
0 2 0.308 16777215
1 2 0.019 16777215
2 2 0.674 0
END
plot $cells matrix using 1:2:3 with image, $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable font ",9.75"
unset output

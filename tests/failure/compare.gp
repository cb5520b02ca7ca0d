# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 2304,830 font "sans,10.5" fontscale 2 linewidth 2 pointscale 2
set output "\056\057compare\056png"
W = 1152.0; H = 415.0
set multiplot
set label "weights by mask\054 head \060\072 X \063\303\227\070\073 H\072 mean entropy\073 change\072 the second less the first" at screen 576/W, screen 1-24/H center font ",12.00"
set label "queries" at screen 30/W, screen 1-207/H center rotate by 90 tc rgb "#404040" font ",10.50"
set label "keys" at screen 562/W, screen 1-393/H center tc rgb "#404040" font ",10.50"
set label "none H \060\056\071\060" at screen 193/W, screen 1-59/H center font ",10.50"
set lmargin at screen 61/W; set rmargin at screen 325/W
set tmargin at screen 1-75/H; set bmargin at screen 1-339/H
set palette defined (0 "#181818", 1 "#2a2a2a", 2 "#3e3e3e", 3 "#525252", 4 "#686868", 5 "#7f7f7f", 6 "#969696", 7 "#aeaeae", 8 "#c6c6c6", 9 "#dfdfdf", 10 "#f9f9f9")
set cbrange [0:1]
set colorbox user origin screen 343/W, screen 1-339/H size screen 16/W, screen 264/H noborder
set format cb "%.1f"; set cbtics 0.2 font ",9.00" tc rgb "#303030"
set yrange [2.5:-0.5]
set xrange [-0.5:2.5]
unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "#808080" lw 1
set label "\060" at screen 53/W, first 0 right font ",10.50"
set label "\061" at screen 53/W, first 1 right font ",10.50"
set label "\062" at screen 53/W, first 2 right font ",10.50"
set label "\060" at first 0, screen 1-354/H center font ",10.50"
set label "\061" at first 1, screen 1-354/H center font ",10.50"
set label "\062" at first 2, screen 1-354/H center font ",10.50"
$cells << END
0.6309633046290262 0.18511471204801652 0.18392198332295728
0.18885474424642848 0.6202169610038988 0.19092829474967277
0.12630144327308204 0.1285162374004144 0.7451823193265036
END
$numbers << END
0 0 0.631 0
1 0 0.185 16777215
2 0 0.184 16777215
0 1 0.189 16777215
1 1 0.620 0
2 1 0.191 16777215
0 2 0.126 16777215
1 2 0.129 16777215
2 2 0.745 0
END
plot $cells matrix using 1:2:3 with image, $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable font ",9.75"
unset label; unset object; unset arrow; unset grid; unset logscale
set label "causal H \060\056\064\065" at screen 544/W, screen 1-59/H center font ",10.50"
set lmargin at screen 412/W; set rmargin at screen 676/W
set tmargin at screen 1-75/H; set bmargin at screen 1-339/H
set palette defined (0 "#181818", 1 "#2a2a2a", 2 "#3e3e3e", 3 "#525252", 4 "#686868", 5 "#7f7f7f", 6 "#969696", 7 "#aeaeae", 8 "#c6c6c6", 9 "#dfdfdf", 10 "#f9f9f9")
set cbrange [0:1]
set colorbox user origin screen 694/W, screen 1-339/H size screen 16/W, screen 264/H noborder
set format cb "%.1f"; set cbtics 0.2 font ",9.00" tc rgb "#303030"
set object rectangle from graph 0,0 to graph 1,1 behind fc rgb "#cbddf2" fs solid noborder
set yrange [2.5:-0.5]
set xrange [-0.5:2.5]
unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "#808080" lw 1
set object rectangle from screen 694/W, screen 1-355/H to screen 710/W, screen 1-369/H fc rgb "#cbddf2" fs solid border lc rgb "#808080"
set label "masked" at screen 716/W, screen 1-362/H left font ",9.00"
set label "\060" at first 0, screen 1-354/H center font ",10.50"
set label "\061" at first 1, screen 1-354/H center font ",10.50"
set label "\062" at first 2, screen 1-354/H center font ",10.50"
$cells << END
1 NaN NaN
0.23342151631417726 0.7665784836858227 NaN
0.12630144327308204 0.1285162374004144 0.7451823193265036
END
$numbers << END
0 0 1.000 0
0 1 0.233 16777215
1 1 0.767 0
0 2 0.126 16777215
1 2 0.129 16777215
2 2 0.745 0
END
plot $cells matrix using 1:2:3 with image, $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable font ",9.75"
unset label; unset object; unset arrow; unset grid; unset logscale
set label "change" at screen 932/W, screen 1-59/H center font ",10.50"
set lmargin at screen 800/W; set rmargin at screen 1064/W
set tmargin at screen 1-75/H; set bmargin at screen 1-339/H
set palette defined (0 "#053061", 1 "#2166ac", 2 "#4393c3", 3 "#92c5de", 4 "#d1e5f0", 5 "#f7f7f7", 6 "#fddbc7", 7 "#f4a582", 8 "#d6604d", 9 "#b2182b", 10 "#67001f")
set cbrange [-0.36903669537097383:0.36903669537097383]
set colorbox user origin screen 1082/W, screen 1-339/H size screen 16/W, screen 264/H noborder
set format cb "%.1f"; set cbtics 0.2 font ",9.00" tc rgb "#303030"
set yrange [2.5:-0.5]
set xrange [-0.5:2.5]
unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "#808080" lw 1
set label "\060" at first 0, screen 1-354/H center font ",10.50"
set label "\061" at first 1, screen 1-354/H center font ",10.50"
set label "\062" at first 2, screen 1-354/H center font ",10.50"
$cells << END
0.36903669537097383 -0.18511471204801652 -0.18392198332295728
0.04456677206774878 0.14636152268192393 -0.19092829474967277
0 0 0
END
$numbers << END
0 0 0.369 16777215
1 0 -0.185 0
2 0 -0.184 0
0 1 0.045 0
1 1 0.146 0
2 1 -0.191 0
0 2 0.000 0
1 2 0.000 0
2 2 0.000 0
END
plot $cells matrix using 1:2:3 with image, $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable font ",9.75"
unset multiplot
unset output

# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 1956,810 font "sans,10.5" fontscale 2 linewidth 2 pointscale 2
set output "\056\057three\056png"
W = 978.0; H = 405.0
set multiplot
set label "weights by temperature\054 head \060\072 X \063\303\227\070\073 H\072 mean entropy" at screen 489/W, screen 1-24/H center font ",12.00"
set label "queries" at screen 30/W, screen 1-207/H center rotate by 90 tc rgb "#404040" font ",10.50"
set label "keys" at screen 479/W, screen 1-383/H center tc rgb "#404040" font ",10.50"
set label "\060\056\065 H \060\056\065\066" at screen 193/W, screen 1-59/H center font ",10.50"
set lmargin at screen 61/W; set rmargin at screen 325/W
set tmargin at screen 1-75/H; set bmargin at screen 1-339/H
set palette defined (0 "#181818", 1 "#2a2a2a", 2 "#3e3e3e", 3 "#525252", 4 "#686868", 5 "#7f7f7f", 6 "#969696", 7 "#aeaeae", 8 "#c6c6c6", 9 "#dfdfdf", 10 "#f9f9f9")
set cbrange [0:1]
unset colorbox
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
0.8539395685980594 0.07350227892545026 0.07255815247649043
0.07808009716394666 0.842115815723628 0.07980408711242526
0.027140183650893154 0.02810037784832558 0.9447594385007813
END
$numbers << END
0 0 0.854 0
1 0 0.074 16777215
2 0 0.073 16777215
0 1 0.078 16777215
1 1 0.842 0
2 1 0.080 16777215
0 2 0.027 16777215
1 2 0.028 16777215
2 2 0.945 0
END
plot $cells matrix using 1:2:3 with image, $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable font ",9.75"
unset label; unset object; unset arrow; unset grid; unset logscale
set label "\061 H \060\056\071\060" at screen 479/W, screen 1-59/H center font ",10.50"
set lmargin at screen 347/W; set rmargin at screen 611/W
set tmargin at screen 1-75/H; set bmargin at screen 1-339/H
set palette defined (0 "#181818", 1 "#2a2a2a", 2 "#3e3e3e", 3 "#525252", 4 "#686868", 5 "#7f7f7f", 6 "#969696", 7 "#aeaeae", 8 "#c6c6c6", 9 "#dfdfdf", 10 "#f9f9f9")
set cbrange [0:1]
unset colorbox
set yrange [2.5:-0.5]
set xrange [-0.5:2.5]
unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "#808080" lw 1
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
set label "\062 H \061\056\060\065" at screen 765/W, screen 1-59/H center font ",10.50"
set lmargin at screen 633/W; set rmargin at screen 897/W
set tmargin at screen 1-75/H; set bmargin at screen 1-339/H
set palette defined (0 "#181818", 1 "#2a2a2a", 2 "#3e3e3e", 3 "#525252", 4 "#686868", 5 "#7f7f7f", 6 "#969696", 7 "#aeaeae", 8 "#c6c6c6", 9 "#dfdfdf", 10 "#f9f9f9")
set cbrange [0:1]
set colorbox user origin screen 915/W, screen 1-339/H size screen 16/W, screen 264/H noborder
set format cb "%.1f"; set cbtics 0.2 font ",9.00" tc rgb "#303030"
set yrange [2.5:-0.5]
set xrange [-0.5:2.5]
unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "#808080" lw 1
set label "\060" at first 0, screen 1-354/H center font ",10.50"
set label "\061" at first 1, screen 1-354/H center font ",10.50"
set label "\062" at first 2, screen 1-354/H center font ",10.50"
$cells << END
0.48041091347458625 0.2602143730891906 0.2593747134362231
0.2619390446993653 0.47468784260157465 0.26337311269906
0.2253405577327756 0.22730773227596612 0.5473517099912583
END
$numbers << END
0 0 0.480 0
1 0 0.260 16777215
2 0 0.259 16777215
0 1 0.262 16777215
1 1 0.475 0
2 1 0.263 16777215
0 2 0.225 16777215
1 2 0.227 16777215
2 2 0.547 0
END
plot $cells matrix using 1:2:3 with image, $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable font ",9.75"
unset multiplot
unset output

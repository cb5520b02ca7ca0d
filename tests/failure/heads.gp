# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 800,600 font "sans,10.5" fontscale 1.1560693641618498 linewidth 1.1560693641618498 pointscale 1.1560693641618498
set output "\056\057heads\056png"
W = 692.0; H = 519.0
set multiplot
set label "both" at screen 346/W, screen 1-24/H center font ",12.00"
set label "queries" at screen 30/W, screen 1-264/H center rotate by 90 tc rgb "#404040" font ",10.50"
set label "seen" at screen 336/W, screen 1-440/H center tc rgb "#404040" font ",10.50"
set label "head \060" at screen 193/W, screen 1-116/H center font ",10.50"
set lmargin at screen 61/W; set rmargin at screen 325/W
set tmargin at screen 1-132/H; set bmargin at screen 1-396/H
set palette defined (0 "#181818", 1 "#2a2a2a", 2 "#3e3e3e", 3 "#525252", 4 "#686868", 5 "#7f7f7f", 6 "#969696", 7 "#aeaeae", 8 "#c6c6c6", 9 "#dfdfdf", 10 "#f9f9f9")
set cbrange [0:0.5]
unset colorbox
set yrange [2.5:-0.5]
set xrange [-0.5:2.5]
unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "#808080" lw 1
set label "\060" at screen 53/W, first 0 right font ",10.50"
set label "\061" at screen 53/W, first 1 right font ",10.50"
set label "\062" at screen 53/W, first 2 right font ",10.50"
set label "\060" at first 0, screen 1-411/H center font ",10.50"
set label "\061" at first 1, screen 1-411/H center font ",10.50"
set label "\062" at first 2, screen 1-411/H center font ",10.50"
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
set label "head \061" at screen 479/W, screen 1-116/H center font ",10.50"
set lmargin at screen 347/W; set rmargin at screen 611/W
set tmargin at screen 1-132/H; set bmargin at screen 1-396/H
set palette defined (0 "#181818", 1 "#2a2a2a", 2 "#3e3e3e", 3 "#525252", 4 "#686868", 5 "#7f7f7f", 6 "#969696", 7 "#aeaeae", 8 "#c6c6c6", 9 "#dfdfdf", 10 "#f9f9f9")
set cbrange [0:0.5]
set colorbox user origin screen 629/W, screen 1-396/H size screen 16/W, screen 264/H noborder
set format cb "%.1f"; set cbtics 0.1 font ",9.00" tc rgb "#303030"
set yrange [2.5:-0.5]
set xrange [-0.5:2.5]
unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "#808080" lw 1
set label "\060" at first 0, screen 1-411/H center font ",10.50"
set label "\061" at first 1, screen 1-411/H center font ",10.50"
set label "\062" at first 2, screen 1-411/H center font ",10.50"
$cells << END
0.5335979000234573 0.10792016990233595 0.35848193007420665
0.1127271507220594 0.5889092254858193 0.2983636237921214
0.24140740645055547 0.19235491367681196 0.5662376798726325
END
$numbers << END
0 0 0.534 0
1 0 0.108 16777215
2 0 0.358 0
0 1 0.113 16777215
1 1 0.589 0
2 1 0.298 0
0 2 0.241 0
1 2 0.192 16777215
2 2 0.566 0
END
plot $cells matrix using 1:2:3 with image, $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable font ",9.75"
unset multiplot
unset output

# Made by attn; gnuplot 5.2 or later draws it.
reset
set encoding utf8
set terminal pngcairo noenhanced size 1206,484 font "sans,10.5" fontscale 2 linewidth 2 pointscale 2
set output "\056\057links\056png"
W = 603.0; H = 242.0
set label "links\054 weights from \060\056\062 up\072 temperature \061\054 scale sqrt\054 mask none\054 \012position none\054 heads \062" at screen 301.5/W, screen 1-24/H center font ",12.00"
set lmargin at screen 74/W; set rmargin at screen 434/W
set tmargin at screen 1-72/H; set bmargin at screen 1-182/H
set yrange [2.5:-1.4285714285714286]
set xrange [0:1]
unset key; unset border; unset tics
set label "queries" at screen 64/W, screen 1-78/H right tc rgb "#404040" font ",9.00"
set label "\060" at screen 64/W, first 0 right font ",10.50"
set label "\061" at screen 64/W, first 1 right font ",10.50"
set label "\062" at screen 64/W, first 2 right font ",10.50"
set label "keys" at screen 444/W, screen 1-78/H left tc rgb "#404040" font ",9.00"
set label "\060" at screen 444/W, first 0 left font ",10.50"
set label "\061" at screen 444/W, first 1 left font ",10.50"
set label "\062" at screen 444/W, first 2 left font ",10.50"
set arrow from screen 495/W, screen 1-83/H to screen 535/W, screen 1-83/H nohead lc rgb "#0072b2" lw 3.625 dt 1
set label "head \060" at screen 545/W, screen 1-83/H left font ",9.00"
set arrow from screen 495/W, screen 1-105/H to screen 535/W, screen 1-105/H nohead lc rgb "#d55e00" lw 3.625 dt 1
set label "head \061" at screen 545/W, screen 1-105/H left font ",9.00"
set arrow from screen 74/W, screen 1-204/H to screen 114/W, screen 1-204/H nohead lc rgb "#606060" lw 1.75 dt 1
set label "\060\056\062\064" at screen 124/W, screen 1-204/H left font ",9.00"
set arrow from screen 194/W, screen 1-204/H to screen 234/W, screen 1-204/H nohead lc rgb "#606060" lw 3 dt 1
set label "\060\056\064\071" at screen 244/W, screen 1-204/H left font ",9.00"
set arrow from screen 314/W, screen 1-204/H to screen 354/W, screen 1-204/H nohead lc rgb "#606060" lw 4.25 dt 1
set label "\060\056\067\065" at screen 364/W, screen 1-204/H left font ",9.00"
$links_1_1 << END
2.25 -2
END
$links_2_1 << END
1.25 1
0.25 2
END
$links_4_0 << END
0.75 0
END
$links_4_1 << END
0.25 0
2.25 0
1.25 0
END
$links_5_0 << END
-0.25 0
1.75 0
END
plot $links_1_1 using (0):1:(1):2 with vectors nohead lc rgb "#d55e00" lw 1.75 dt 1, \
     $links_2_1 using (0):1:(1):2 with vectors nohead lc rgb "#d55e00" lw 2.375 dt 1, \
     $links_4_0 using (0):1:(1):2 with vectors nohead lc rgb "#0072b2" lw 3.625 dt 1, \
     $links_4_1 using (0):1:(1):2 with vectors nohead lc rgb "#d55e00" lw 3.625 dt 1, \
     $links_5_0 using (0):1:(1):2 with vectors nohead lc rgb "#0072b2" lw 4.25 dt 1
unset output

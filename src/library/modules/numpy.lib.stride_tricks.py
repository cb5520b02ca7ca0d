# Built in: as_strided sliding_window_view

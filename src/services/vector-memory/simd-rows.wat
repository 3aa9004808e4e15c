;; The dot products of a query with rows of 32-bit floats, sixteen floats at a time. Uses four sums of four lanes, because
;; with a single sum each addition waits for the one before. Addresses and $bytes (the length of a row) are multiples of 64.
(module
  (import "_" "memory" (memory 1))
  (func (export "dots") (param $row i32) (param $query i32) (param $bytes i32) (param $out i32) (param $rows i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $at i32)
    (loop $each_row
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (v128.const f32x4 0 0 0 0))
      (local.set $c (v128.const f32x4 0 0 0 0))
      (local.set $d (v128.const f32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $each_16
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul
          (v128.load (i32.add (local.get $row) (local.get $at)))
          (v128.load (i32.add (local.get $query) (local.get $at))))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul
          (v128.load offset=16 (i32.add (local.get $row) (local.get $at)))
          (v128.load offset=16 (i32.add (local.get $query) (local.get $at))))))
        (local.set $c (f32x4.add (local.get $c) (f32x4.mul
          (v128.load offset=32 (i32.add (local.get $row) (local.get $at)))
          (v128.load offset=32 (i32.add (local.get $query) (local.get $at))))))
        (local.set $d (f32x4.add (local.get $d) (f32x4.mul
          (v128.load offset=48 (i32.add (local.get $row) (local.get $at)))
          (v128.load offset=48 (i32.add (local.get $query) (local.get $at))))))
        (br_if $each_16 (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $bytes))))
      (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
      (f32.store (local.get $out) (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
        (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
      (local.set $row (i32.add (local.get $row) (local.get $bytes)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $each_row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1)))))))

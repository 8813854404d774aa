#!/usr/bin/env python3
"""CSV into a simulation and out of it. Usage: inputs.py HOST."""

import subprocess
import unittest

from simulation import HOST, Simulation

MIXED = "b,n,i,v[0],v[1],v[2],m[0][0],m[0][1],m[1][0],m[1][1]"
MIXED_ROW = "true,7,-3,1.5,2.5,3.5,1,2,3,4"
MIXED_OUT = "bo,no,io,vo[0],vo[1],vo[2],mo[0][0],mo[0][1],mo[1][0],mo[1][1]\n"
MIXED_OUT_ROW = "0,8,3,3.0,5.0,7.0,2.0,3.0,4.0,5.0\n"


class Inputs(Simulation):
    def accepts(self, text, out="y\n2.0\n4.5\n"):
        self.write("e.csv", text)
        self.assertEqual(self.run_model("pi", "--in", "e.csv"), out)

    def refuses(self, text, message, out="", model="pi"):
        self.write("e.csv", text)
        result = self.run_model(model, "--in", "e.csv", status=3, err=f"e.csv:{message}\n")
        self.assertEqual(result, out)

    def test_forms(self):
        self.accepts("e\n1\n2\n")
        self.accepts("e\n1\n2")
        self.accepts("e\r\n1\r\n2\r\n")
        self.accepts("\ufeffe\n1.0\n2e0\n")
        self.accepts("t.e\n 1 \n\t+2.0\n\n\r\n  \n")
        self.accepts('"e"\n"1"\n"2"\n')
        self.accepts("e\n1u\n0.2E1\n")
        self.accepts("e\n", out="y\n")
        self.accepts("e\ntrue\n", out="y\n2.0\n")
        self.accepts("e\nnan\n-inf\n", out="y\nnan\nnan\n")
        self.accepts("e\n100000000000000000000000\n", out="y\n2e+23\n")

    def test_wrong_headers(self):
        self.refuses("", "1:1: error: the file is empty; its first line names the columns")
        self.refuses("\n1\n", "1:1: error: the column `e` is missing; the file has (no name)")
        self.refuses("1\n2\n", "1:1: error: the first line names the columns, found the number `1`")
        self.refuses("e, e\n1,2\n", "1:4: error: the column `e` is given twice")
        self.refuses(
            "e[0]\n1\n", "1:1: error: no column `e[0]`: the input `e` is real, its first column is `e`"
        )
        self.refuses('"e\n1\n', "1:1: error: a quoted cell does not end in its line")
        self.refuses('"e"x\n1\n', "1:4: error: text follows the quote that ends a cell")
        self.refuses("e\0\n1\n", "1:1: error: the column name `e?` has a NUL byte")
        missing = MIXED.replace("m[0][1],", "").replace("n,", "")
        self.refuses(
            missing + "\n", "1:1: error: the column `n` is missing, and 1 more", model="mixed"
        )
        self.refuses("E\n1\n", "1:1: error: no input is named `E`; did you mean `e`, which is missing?")
        self.refuses(
            "time," + MIXED.replace("m[1][0]", "M[1][0]") + "\n",
            "1:43: error: no input is named `M[1][0]`; did you mean `m[1][0]`, which is missing?",
            model="mixed",
        )
        self.refuses("a,b\n1,2\n", "1:1: error: the column `e` is missing; the file has `a`, `b`")
        self.refuses(
            "a,b,c,d,f,g\n", "1:1: error: the column `e` is missing; the file has `a`, `b`, `c`, `d` and 2 more"
        )
        self.refuses(
            MIXED.replace("v[1]", "v[3]") + "\n",
            "1:12: error: no column `v[3]`: the input `v` is tensor<real, 3>, its first column is `v[0]`",
            model="mixed",
        )
        self.refuses(
            MIXED.replace("m[1][1]", "m[11]") + "\n",
            "1:46: error: no column `m[11]`: the input `m` is tensor<tensor<real, 2>, 2>, its first "
            "column is `m[0][0]`",
            model="mixed",
        )

    def test_columns_that_are_not_read(self):
        def accepts(text, place, names, out="y\n2.0\n4.5\n"):
            self.write("e.csv", text)
            note = f"e.csv:1:{place}: note: the {names} not read\n"
            self.assertEqual(self.run_model("pi", "--in", "e.csv", err=note), out)

        def refuses(text, message):
            self.write("e.csv", text)
            err = f"e.csv:1:{message}\n"
            self.run_model("pi", "--in", "e.csv", "--strict-columns", status=3, err=err)

        accepts("time,e\n0.0,1\n0.5,2\n", 1, "column `time` is")
        accepts('e,time,note\n1,,"a, b ""c"""\n2,x;y, z\n', 3, "columns `time`, `note` are")
        accepts(",e\n0,1\n1,2\n", 1, "column (no name) is")
        accepts("e,\n1,\n2,\n", 3, "column (no name) is")
        accepts("x,x,e,x,x,x,x\n1,2,1,4,5,6,7\n1,2,2,4,5,6,7\n", 1, "columns `x`, `x`, `x`, `x` and 2 more are")
        names = [f"c{i}" for i in range(5000)]
        cells = ",".join("1" for _ in names)
        accepts(
            ",".join(names) + f",e\n{cells},1\n{cells},2\n", 1,
            "columns `c0`, `c1`, `c2`, `c3` and 4996 more are",
        )
        self.write("e.csv", "a,e,time\n1,1\n")
        self.run_model(
            "pi", "--in", "e.csv", status=3, err="e.csv:1:1: note: the columns `a`, `time` are not read\n"
            "e.csv:2:1: error: the row has 2 cells, the header has 3 columns\n",
        )
        self.write("e.csv", "e\n1\n2\n")
        self.assertEqual(self.run_model("pi", "--in", "e.csv", "--strict-columns"), "y\n2.0\n4.5\n")
        refuses("time,e\n0.0,1\n", "1: error: no input is named `time`")
        refuses("e,\n0.0,1\n", "3: error: no input is named (no name)")
        refuses("x,E\n", "3: error: no input is named `E`; did you mean `e`, which is missing?")

    def test_other_files(self):
        self.refuses(
            "time;e\n0;1,5\n",
            "1:1: error: `;` separates the columns, which commas must; `sed 's/,/./g; s/;/,/g'` makes it so",
        )
        self.refuses(
            "e\n0;1,5\n",
            "2:1: error: `;` separates the columns, which commas must; `sed 's/,/./g; s/;/,/g'` makes it so",
            out="y\n",
        )
        self.refuses(
            "time\te\n0\t1\n",
            "1:1: error: a tab separates the columns, which commas must; `tr '\\t' ','` makes it so",
        )
        cure = subprocess.run(
            ["sed", "s/,/./g; s/;/,/g"], input="time;e\n0;1,0\n1;2,0\n", stdout=subprocess.PIPE, text=True
        )
        self.write("e.csv", cure.stdout)
        note = "e.csv:1:1: note: the column `time` is not read\n"
        self.assertEqual(self.run_model("pi", "--in", "e.csv", err=note), "y\n2.0\n4.5\n")
        for start, what in (
            (b"\x93NUMPY\1\0", "a NumPy array; its name must end in .npy"),
            (b"PK\3\4\x14\0",
             "an archive (.npz, .xlsx), which is not read; save one array of it as .npy or CSV"),
            (b"\x89HDF\r\n\x1a\n",
             "an HDF5 file (.h5, .mat), which is not read; save one array of it as .npy or CSV"),
            (b"MATLAB 5.0 MAT-file",
             "a file of MATLAB (.mat), which is not read; save one array of it as .npy or CSV"),
        ):
            self.refuses(start, f"1:1: error: this is {what}")
        self.refuses("e\n".encode("utf-16"), "1:1: error: this text is UTF-16; save it as UTF-8")

    def test_wrong_cells(self):
        def refuses(text, message):
            # The row before the wrong one is whole.
            text = text if isinstance(text, bytes) else text.encode()
            self.refuses(b"e\n1\n" + text, message, out="y\n2.0\n")

        refuses("one\n", "3:1: error: `one` in column `e` is not a number")
        refuses("1 2\n", "3:1: error: `1 2` in column `e` is not a number")
        refuses("1\0\n", "3:1: error: `1?` in column `e` has a NUL byte")
        refuses("0x10\n", "3:1: error: `0x10` in column `e` is not a number")
        refuses("nan(1)\n", "3:1: error: `nan(1)` in column `e` is not a number")
        refuses(b"\xff\xc3\x28\xe2\x82\n", "3:1: error: `??(??` in column `e` is not a number")
        refuses("a" + "é" * 40 + "\n", "3:1: error: `a" + "é" * 28 + "...` in column `e` is not a number")
        refuses("1e999\n", "3:1: error: `1e999` in column `e` is outside the range of real")
        refuses("  é\n", "3:3: error: `é` in column `e` is not a number")
        refuses("é,1\n", "3:1: error: `é` in column `e` is not a number")
        refuses('""\n', "3:1: error: the cell of column `e` is empty")
        refuses("1,2\n", "3:1: error: the row has 2 cells, the header has 1 column")
        refuses("1,2,\n", "3:1: error: the row has 3 cells, the header has 1 column")
        refuses("\n2\n", "3:1: error: a blank line before the end of the file")
        refuses("1" * 3000 + "\n", "3:1: error: `" + "1" * 58 + "...` in column `e` is too long for a number")

    def test_wrong_cells_of_other_types(self):
        def refuses(row, message):
            self.refuses(MIXED + "\n" + row + "\n", message, out=MIXED_OUT, model="mixed")

        refuses(
            MIXED_ROW.replace("true", "2"),
            "2:1: error: `2` in column `b` is not a bool (`true`, `false`, `1` or `0`)",
        )
        refuses(MIXED_ROW.replace("7", "-7"), "2:6: error: `-7` in column `n` is outside the range of uint")
        refuses(MIXED_ROW.replace("-3", "2.5"), "2:8: error: `2.5` in column `i` is not an int")
        refuses(
            MIXED_ROW.replace("-3", "2147483648"),
            "2:8: error: `2147483648` in column `i` is outside the range of int",
        )
        refuses("true,7,-3,1.5", "2:1: error: the row ends before column `v[1]`: 4 of 10 cells")
        refuses(MIXED_ROW + ",5", "2:1: error: the row has 11 cells, the header has 10 columns")
        refuses(MIXED_ROW.replace("2,3", "2,é,3"), "2:27: error: `é` in column `m[1][0]` is not a number")

    def test_all_types(self):
        self.write("e.csv", f"{MIXED}\n{MIXED_ROW}\n0,4294967295,2147483647,-0.0,1e300,nan,0,0,0,0\n")
        self.assertEqual(
            self.run_model("mixed", "--in", "e.csv"),
            MIXED_OUT + MIXED_OUT_ROW + "1,0,-2147483647,-0.0,2e+300,nan,1.0,1.0,1.0,1.0\n",
        )

    def test_any_order_of_columns(self):
        names, cells = MIXED.split(","), MIXED_ROW.split(",")
        self.write("e.csv", ",".join(names[::-1]) + "\n" + ",".join(cells[::-1]) + "\n")
        self.assertEqual(self.run_model("mixed", "--in", "e.csv"), MIXED_OUT + MIXED_OUT_ROW)

    def test_a_file_for_each_terminal(self):
        self.write("b.csv", "b\ntrue\n")
        self.write("n.csv", "n\n7\n")
        self.write("i.csv", "i\n-3\n")
        self.write("v.csv", "v[2],v[1],v[0]\n3.5,2.5,1.5\n")
        self.write("m.csv", "m[0][0],m[0][1],m[1][0],m[1][1]\n1,2,3,4\n")
        args = [f"--in={name}={name}.csv" for name in ("b", "n", "i", "v")]
        args += ["--in", "t.m=m.csv"]
        self.assertEqual(self.run_model("mixed", *args), MIXED_OUT + MIXED_OUT_ROW)
        out = ["--out", "vo=vo.csv", "--out=t.bo=bo.csv"]
        self.assertEqual(self.run_model("mixed", *args, *out), "")
        self.assertEqual(self.read("vo.csv"), "vo[0],vo[1],vo[2]\n3.0,5.0,7.0\n")
        self.assertEqual(self.read("bo.csv"), "bo\n0\n")
        self.write("v.csv", "v[0],v[1],v[2],n\n1.5,2.5,3.5,4\n")
        self.assertEqual(self.run_model("mixed", *args), MIXED_OUT + MIXED_OUT_ROW)

    def test_a_file_of_the_others(self):
        self.write("log.csv", f"time,{MIXED}\n0,{MIXED_ROW}\n")
        self.write("v.csv", "v[2],v[1],v[0]\n1,2,3\n")
        note = "log.csv:1:1: note: the column `time` is not read\n"
        expected = MIXED_OUT + MIXED_OUT_ROW.replace("3.0,5.0,7.0", "6.0,4.0,2.0")
        for args in (["--in=log.csv", "--in=v=v.csv"], ["--in=v=v.csv", "--in=log.csv"]):
            self.assertEqual(self.run_model("mixed", *args, err=note), expected)
        self.write("log.csv", "n,i,b\n7,-3,1\n")
        args = ["--in=log.csv", "--in=v=[3, 2, 1]", "--in=m=[[1, 2], [3, 4]]", "--strict-columns"]
        self.assertEqual(self.run_model("mixed", *args), expected)
        self.run_model("mixed", *args[:2], status=3,
                       err="log.csv:1:1: error: the column `m[0][0]` is missing, and 3 more\n")

    def test_one_log_for_many_terminals(self):
        # Other inputs' columns need no note, and what no input has needs one.
        log = "time," + MIXED.replace("v[1]", "x,v[1]") + "\n0.5," + MIXED_ROW.replace("2.5", "9,2.5") + "\n"
        self.write("log.csv", log)
        args = [f"--in={name}=log.csv" for name in "bnivm"]
        note = "log.csv:1:1: note: the columns `time`, `x` are not read\n"
        self.assertEqual(self.run_model("mixed", *args, err=note), MIXED_OUT + MIXED_OUT_ROW)
        self.run_model(
            "mixed", *args, "--strict-columns", status=3,
            err="log.csv:1:1: error: no input is named `time`\n",
        )
        self.write("log.csv", f"{MIXED}\n{MIXED_ROW}\n")
        self.assertEqual(self.run_model("mixed", *args, "--strict-columns"), MIXED_OUT + MIXED_OUT_ROW)
        self.write("log.csv", f"{MIXED.replace('v[1]', 'v[7]')}\n")
        self.run_model(
            "mixed", "--in=v=log.csv", *[arg for arg in args if "v=" not in arg], status=3,
            err="log.csv:1:12: error: no column `v[7]`: the input `v` is tensor<real, 3>, its first column is "
            "`v[0]`\n",
        )
        self.write("log.csv", "w\n1\n")
        self.run_model(
            "mixed", "--in=v=log.csv:w", *[arg for arg in args if "v=" not in arg], status=3,
            err="log.csv:1:1: error: no column `w`: what is read from `w` is tensor<real, 3>, its first column is "
            "`w[0]`\n",
        )

    def test_a_million_rows(self):
        rows = 1_000_000
        self.write("e.csv", "e\n" + "".join(f"{i % 1000}.5\n" for i in range(rows)))
        self.run_model("pi", "--in", "e.csv", "--out", "y.csv")
        state, expected = 0.0, ["y\n"]
        for i in range(rows):
            value = i % 1000 + 0.5
            expected.append(f"{2 * value + state!r}\n")
            state += 0.5 * value
        self.assertTrue(self.read("y.csv") == "".join(expected))

    def test_late_errors_keep_whole_rows(self):
        rows = 5000
        self.write("e.csv", "e\n" + "0\n" * rows + "x\n")
        self.run_model(
            "pi", "--in", "e.csv", "--out", "y.csv", status=3,
            err=f"e.csv:{rows + 2}:1: error: `x` in column `e` is not a number\n",
        )
        self.assertEqual(self.read("y.csv"), "y\n" + "0.0\n" * rows)

    def test_cells_across_the_buffer(self):
        # Rows of every length put the buffer's end everywhere in a cell.
        values = [("%.*f" % (1 + i % 13, i * 1.37e3)) for i in range(30000)]
        self.write("e.csv", "e\r\n" + "".join(f"{v}\r\n" for v in values))
        result = self.run_model("pi", "--in", "e.csv", "--set", "ki=0", "--set", "kp=1")
        self.assertEqual(result, "y\n" + "".join(f"{float(v)!r}\n" for v in values))

    def test_standard_input(self):
        self.assertEqual(self.run_model("pi", "--in", "-", stdin=None, input="e\n1\n2\n"), "y\n2.0\n4.5\n")
        self.assertEqual(
            self.run_model("pi", "--in", "e=/dev/stdin", stdin=None, input="e\n1\n2\n"), "y\n2.0\n4.5\n"
        )
        self.run_model(
            "pi", "--in", "-", status=3, err="standard input:1:1: error: the file is empty; its first "
            "line names the columns\n",
        )

    def test_rows_of_a_pipe_are_answered_at_once(self):
        process = subprocess.Popen(
            [HOST, "pi", "--in", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        process.stdin.write("e\n1\n")
        process.stdin.flush()
        self.assertEqual([process.stdout.readline() for _ in range(2)], ["y\n", "2.0\n"])
        process.stdin.write("2\n3\n")
        process.stdin.flush()
        self.assertEqual([process.stdout.readline() for _ in range(2)], ["4.5\n", "7.5\n"])
        out, _ = process.communicate()
        self.assertEqual((out, process.returncode), ("", 0))

    def test_unreadable_files(self):
        self.run_model(
            "pi", "--in", "none.csv", status=3, err="pi: cannot open `none.csv`: No such file or directory\n"
        )
        (self.folder / "folder").mkdir()
        self.run_model(
            "pi", "--in", "folder", status=3, err="folder: error: cannot read: Is a directory\n"
        )

    def test_numbers_of_rows(self):
        self.write("b.csv", "b\n1\n1\n1\n")
        self.write("n.csv", "n\n7\n7\n")
        self.write("i.csv", "i\n1\n2\n3\n")
        self.write("v.csv", "v[2],v[1],v[0]\n" + "1,2,3\n" * 3)
        self.write("m.csv", "m[0][0],m[0][1],m[1][0],m[1][1]\n" + "1,2,3,4\n" * 3)
        for order in ("bnivm", "nbivm", "ivmbn"):
            args = [f"--in={name}={name}.csv" for name in order]
            longer = "b" if order == "nbivm" else order[0]
            result = self.run_model(
                "mixed", *args, "--out", "bo=-", status=3,
                err=f"n.csv:4:1: error: the input ends after 2 rows, `{longer}.csv` has more\n",
            )
            self.assertEqual(result, "bo\n0\n0\n")
            result = self.run_model(
                "mixed", *args, "--out", "bo=-", "--steps", "3", status=3,
                err="n.csv:4:1: error: the input ends after 2 rows, `--steps` asks for 3\n",
            )
            self.assertEqual(result, "bo\n0\n0\n")
            result = self.run_model("mixed", *args, "--out", "bo=-", "--steps", "2")
            self.assertEqual(result, "bo\n0\n0\n")
            result = self.run_model("mixed", *args, "--out", "bo=-", "--steps", "1")
            self.assertEqual(result, "bo\n0\n")


if __name__ == "__main__":
    unittest.main()

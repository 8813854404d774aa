#!/usr/bin/env python3
"""Functions of a source, against NumPy. Usage: functions.py TMLC."""

import pickle
import threading
import unittest
import unittest.mock

import numpy as np
from package_test import LAG, PackageTest, tmlc

LIBRARY = """fn scale(tensor<real, 3> a, real by) tensor<real, 3>:
    return a * by
end
fn product(tensor<real, 4, 5> a, tensor<real, 5, 6> b) tensor<real, 4, 6>:
    return a .* b
end
fn roots(bool b, uint n, int i, tensor<bool, 3> m) bool, uint, int, tensor<bool, 3>:
    return not b, n + 1u, -i, not m
end
fn nested(tensor<tensor<int, 3>, 2> a) tensor<tensor<int, 3>, 2>, int:
    return a + 1, a[1][2]
end
fn swap(var tensor<real, 2> v, var int n) real:
    real first = v[0]
    v[0] = v[1]
    v[1] = first
    n += 1
    return first
end
fn nothing(real lambda):
    x = lambda
end
fn at(tensor<int, 3> a, int i) int:
    return a[i]
end
int count = 0
fn tick(int by) int:
    assert(by > 0, "by is positive")
    count += by
    return count
end
fn large(tensor<real, 200, 200> a) real:
    return sum((a .* a) .* a)
end
"""


class Functions(PackageTest):
    @classmethod
    def setUpClass(cls):
        with unittest.mock.patch("warnings.warn"):
            cls.library = tmlc.compile(LIBRARY)

    def test_against_numpy(self):
        library, random = self.library, np.random.default_rng(3)
        a = random.normal(size=3)
        self.same(library.scale(a, 0.5), a * 0.5)
        self.same(library.scale(by=2, a=[1, 2, 3]), np.array([2.0, 4.0, 6.0]))
        self.same(library.scale(np.float32([1, 2, 3]), np.int16(2)), np.array([2.0, 4.0, 6.0]))
        one, other = random.normal(size=(5, 4)).T, random.normal(size=(10, 6))[::2]
        np.testing.assert_allclose(library.product(one, other), one @ other, rtol=1e-14, atol=1e-14)
        for b, n, i, m in [(True, 2**32 - 1, -(2**31), [True, False, True]), (False, 0, 7, [False] * 3)]:
            found = library.roots(b, n, i, m)
            expected = (np.bool_(not b), np.uint32((n + 1) % 2**32), np.int32(((-i + 2**31) % 2**32) - 2**31), ~np.array(m))
            for x, y in zip(found, expected):
                self.same(np.asarray(x), np.asarray(y))
        array, number = library.nested(np.arange(6, dtype=np.int32).reshape(2, 3))
        self.same(array, np.arange(1, 7, dtype=np.int32).reshape(2, 3))
        self.assertEqual(number, 5)
        self.assertIsNone(library.nothing(1.0))
        self.assertIsNone(library.nothing(**{"lambda": 1.0}))
        large = random.normal(size=(200, 200)) / 14
        np.testing.assert_allclose(library.large(large), (large @ large @ large).sum(), rtol=1e-9)

    def test_single(self):
        scale = tmlc.compile(LIBRARY[: LIBRARY.index("fn product")], real="f32").scale
        self.same(scale(np.float32([0.1, 0.2, 0.3]), 0.1), np.float32([0.1, 0.2, 0.3]) * np.float32(0.1))
        with self.raises(TypeError, '`a` is float64, the model takes float32; convert it by `.astype("float32")`'):
            scale(np.array([0.1, 0.2, 0.3]), 0.1)

    def test_var(self):
        v, n = np.array([1.0, 2.0]), np.array(5, np.int32)
        self.assertEqual(self.library.swap(v, n), 1.0)
        self.same(v, np.array([2.0, 1.0]))
        self.assertEqual(n, 6)
        wanted = "`v` is written: it takes a writeable array of float64 without gaps"
        frozen = np.array([1.0, 2.0])
        frozen.flags.writeable = False
        for given, kind, message in [
            ([1.0, 2.0], TypeError, f"{wanted}, not list"),
            (np.array([1, 2]), TypeError, f"{wanted}, not int64"),
            (np.zeros(3), ValueError, "`v` has shape (3,), the model takes (2,)"),
            (np.zeros(4)[::2], ValueError, wanted),
            (frozen, ValueError, wanted),
        ]:
            with self.subTest(given=given), self.raises(kind, message):
                self.library.swap(given, n)
        both = np.zeros(2)
        with self.assertRaises(ValueError) as caught:
            self.library.swap(both, both.view(np.int32)[:1].reshape(()))
        self.assertIn("overlaps another argument", str(caught.exception))

    def test_state(self):
        """Of all functions of a model together; another model begins anew."""
        self.assertEqual([self.library.tick(2), self.library.tick(by=3)], [2, 5])
        with unittest.mock.patch("warnings.warn"):
            again = pickle.loads(pickle.dumps(self.library))
        threads = [threading.Thread(target=lambda: [again.tick(1) for _ in range(1000)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(again.tick(1), 4001)

    def test_pickled(self):
        scale = pickle.loads(pickle.dumps(self.library.scale))
        self.same(scale([1, 2, 3], 2), self.library.scale([1, 2, 3], 2))

    def test_pickled_with_a_name_of_the_model(self):
        model = tmlc.compile("fn source(real x) real:\n    return x + 1.0\nend\nfn state(real x) real:\n    return x\nend\n")
        for name, function in model.functions.items():
            self.assertEqual(pickle.loads(pickle.dumps(function)).__name__, name)
        self.assertEqual(pickle.loads(pickle.dumps(model.functions["source"]))(2.0), 3.0)

    def test_parameters_of_any_name(self):
        model = tmlc.compile("fn f(real self, real args) real:\n    return self - args\nend\n")
        self.assertEqual(model.f(self=3.0, args=1.0), 2.0)

    def test_scalars_of_numpy(self):
        """They are numbers as Python's are."""
        for by in (np.int64(2), np.uint8(2), np.float32(2)):
            self.same(self.library.scale([1, 2, 3], by), np.array([2.0, 4.0, 6.0]))
        self.assertEqual(self.library.at([1, 2, 3], np.int64(1)), 2)
        with self.raises(ValueError, f"`i`: {2**40} is no int32, which the model takes"):
            self.library.at([1, 2, 3], np.int64(2**40))
        with self.raises(TypeError, "`i` is 1.5, the model takes int32"):
            self.library.at([1, 2, 3], np.float64(1.5))

    def test_of_a_component(self):
        model = tmlc.compile(LAG + "fn double(real a) real:\n    return 2.0 * a\nend\n")
        self.assertEqual(model.double(4.0), 8.0)
        self.assertEqual(model.simulate({"u": [1.0]})["y"][0], 0.0)

    def test_what_is_told(self):
        swap = self.library.swap
        self.assertEqual(str(swap), "fn swap(var tensor<real, 2> v, var int n) real")
        self.assertEqual(repr(swap), f"<tmlc.Function {swap}>")
        self.assertEqual(swap.__doc__, str(swap))
        self.assertEqual([p.name for p in self.library.nested.params], ["a"])
        self.assertEqual(str(self.library.nothing), "fn nothing(real lambda)")
        self.assertIn("scale", dir(self.library))
        with self.assertRaises(AttributeError) as caught:
            self.library.sclae
        self.assertIn("a model has no `sclae`; its functions with fixed sizes are: scale, product", str(caught.exception))

    def test_traps(self):
        with self.raises(tmlc.Trap, "<stdin>: trap[E1001]: an index is outside its dimension"):
            self.library.at([1, 2, 3], 3)
        with self.assertRaises(tmlc.Trap) as caught:
            self.library.tick(0)
        self.assertEqual((caught.exception.code, caught.exception.line), ("E1004", 28))
        self.assertIsNone(caught.exception.step)

    def test_traps_with_state(self):
        """Their text, and their file where it is an import, of libraries and of components."""
        folder = self.folder()
        (folder / "part.tml").write_text('fn part(real x) real:\n    assert(x < 9.0, "part is high")\n    return x\nend\n')
        text = 'import "part.tml"\nreal s = 1.0\nfn g(real x) real:\n    assert(x > s, "too small")\n' \
               "    s = part(x)\n    return x\nend\n"
        for more in ["", "out real t.y\nfn output_fnc():\n    t.y = g(2.0 + s)\nend\n"]:
            (folder / "main.tml").write_text(text + more)
            model = tmlc.compile(folder / "main.tml")
            for value, name, place, told in [(0.0, "main.tml", "4:5", "too small"), (9.5, "part.tml", "2:5", "part is high")]:
                with self.subTest(more=more, value=value):
                    with self.raises(tmlc.Trap, f"{folder}/{name}:{place}: trap[E1004]: assertion failed: {told}") as caught:
                        model.g(value)
                    self.assertEqual(caught.exception.text, told)
                    self.assertEqual(caught.exception.file, f"{folder}/{name}")

    def test_wrong_calls(self):
        text = "fn scale(tensor<real, 3> a, real by) tensor<real, 3>"
        for args, named, kind, message in [
            (([1, 2, 3],), {}, TypeError, f"{text}: arguments are missing: by"),
            (([1, 2, 3], 1, 2), {}, TypeError, f"{text} takes 2 arguments, not 3"),
            (([1, 2, 3], 1), {"a": 1}, TypeError, f"{text}: `a` is given twice"),
            (([1, 2, 3],), {"b": 1}, TypeError, f"`b` is no parameter of {text}; there are: a, by"),
            (([1, 2], 1), {}, ValueError, "`a` has shape (2,), the model takes (3,)"),
            ((1.0, 1), {}, ValueError, "`a` has shape (), the model takes (3,)"),
            (([1, 2, 3], [1]), {}, ValueError, "`by` has shape (1,), the model takes ()"),
            (([1, 2, 3], "1"), {}, TypeError, "`by` is '1', the model takes float64"),
            (([1, 2, 3], 1j), {}, TypeError, "`by` is 1j, the model takes float64"),
            (([1, 2, 3], None), {}, TypeError, "`by` is None, the model takes float64"),
            (([1, 2, 3], True), {}, TypeError, "`by` is True, the model takes float64"),
        ]:
            with self.subTest(args=args, named=named), self.raises(kind, message):
                self.library.scale(*args, **named)


if __name__ == "__main__":
    unittest.main()

import unittest

from wayfinder import Found, Redirect, Router


class RouterTest(unittest.TestCase):
    def test_gives_parameters(self):
        router = Router(ignore_case=True)
        router.add("/users/{name}", "user")
        self.assertEqual(router.find("/Users/Ada"), Found("user", {"name": "Ada"}))

    def test_takes_the_rest(self):
        router = Router()
        router.add("/files/{path*}", "file")
        self.assertEqual(router.find("/files/a/b.txt"), Found("file", {"path": "a/b.txt"}))

    def test_redirects_when_a_slash_is_too_many_or_missing(self):
        router = Router()
        router.add("/users", "users")
        router.add("/teams/", "teams")
        self.assertEqual(router.find("/users/"), Redirect("/users"))
        self.assertEqual(router.find("/teams"), Redirect("/teams/"))

    def test_refuses_unknown_options(self):
        with self.assertRaisesRegex(TypeError, "unknown option: colour"):
            Router(colour="red")

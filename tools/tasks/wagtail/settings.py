"""A Wagtail site that does what a gallery needs, as good as Wagtail's own parts make it."""
import os
import pathlib

BASE_DIR = pathlib.Path(os.environ["WAGTAIL_STATE"])
SECRET_KEY = "only for counting clicks on the loopback address"
DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1"]
INSTALLED_APPS = [
    "museum",
    "wagtail.contrib.simple_translation", "wagtail.locales", "wagtail.users", "wagtail.snippets", "wagtail.documents",
    "wagtail.images", "wagtail.search", "wagtail.admin", "wagtail.sites", "wagtail",
    "modelcluster", "taggit",
    "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
    "django.contrib.messages", "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.locale.LocaleMiddleware",
]
ROOT_URLCONF = "urls"
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages"]},
}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "db.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STATIC_URL, MEDIA_URL, MEDIA_ROOT = "/static/", "/media/", BASE_DIR / "media"
USE_TZ = True
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = WAGTAIL_CONTENT_LANGUAGES = [("en", "English"), ("de", "German")]
WAGTAIL_I18N_ENABLED = True
WAGTAIL_SITE_NAME = "Museum"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
WAGTAILSEARCH_BACKENDS = {"default": {"BACKEND": "wagtail.search.backends.database"}}
WAGTAIL_ENABLE_UPDATE_CHECK = False
# Made for each run, in the state folder.
MIGRATION_MODULES = {"museum": "museum_migrations"}

"""Fills the site: an account, two languages, six beacons of which each has one picture, and one more picture."""
import io
import os
import sys

import django

sys.path.append(os.environ["WAGTAIL_STATE"])
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
django.setup()

from django.contrib.auth import get_user_model
from django.core.files.images import ImageFile
from museum.models import Beacon, Picture
from PIL import Image as Pixels
from wagtail.images.models import Image
from wagtail.models import Locale, Page, Site

NAMES = ["Whale Skeleton", "Star Globe", "Steam Engine", "Roman Mosaic", "Amber Room", "Moon Rock"]


def picture(name, colour):
    octets = io.BytesIO()
    Pixels.new("RGB", (640, 480), colour).save(octets, "PNG")
    octets.seek(0)
    return Image.objects.create(title=name, file=ImageFile(octets, name=f"{name}.png"))


ana = get_user_model().objects.create_superuser("ana", "ana@example.org", sys.argv[1])
Locale.objects.get_or_create(language_code="en")
Locale.objects.get_or_create(language_code="de")
root = Page.objects.get(depth=1)
Page.objects.filter(depth=2).delete()
root = Page.objects.get(depth=1)
home = root.add_child(instance=Page(title="Museum", slug="museum"))
Site.objects.update_or_create(hostname="127.0.0.1", defaults={"root_page": home, "is_default_site": True})
for number, name in enumerate(NAMES, 1):
    beacon = Beacon(title=name, uuid="7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096", major=1, minor=number)
    home.add_child(instance=beacon)
    beacon.pictures.add(Picture(title=name, image=picture(name, (30 * number, 90, 200 - 20 * number))))
    beacon.save_revision(user=ana, log_action=True).publish(user=ana)
    beacon.body = "<p>A second text.</p>"
    beacon.save_revision(user=ana, log_action=True).publish(user=ana)
home.copy_for_translation(Locale.objects.get(language_code="de"))
picture("Spare", (10, 10, 10))

"""A beacon as a page: pages are the kind of thing for which Wagtail has most (drafts, schedule, preview, history)."""
from django.db import models
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel
from wagtail.fields import RichTextField
from wagtail.models import Orderable, Page
from modelcluster.fields import ParentalKey


class Beacon(Page):
    uuid = models.UUIDField("UUID", null=True, blank=True)
    major = models.PositiveIntegerField(null=True, blank=True)
    minor = models.PositiveIntegerField(null=True, blank=True)
    body = RichTextField(blank=True)

    content_panels = Page.content_panels + [
        FieldRowPanel([FieldPanel("uuid"), FieldPanel("major"), FieldPanel("minor")]),
        InlinePanel("pictures", label="image to recognise", max_num=25),
        FieldPanel("body"),
    ]
    template = "museum/beacon.html"


class Picture(Orderable):
    beacon = ParentalKey(Beacon, related_name="pictures", on_delete=models.CASCADE)
    title = models.CharField(max_length=200, blank=True)
    image = models.ForeignKey("wagtailimages.Image", null=True, on_delete=models.PROTECT, related_name="+")
    panels = [FieldPanel("title"), FieldPanel("image")]

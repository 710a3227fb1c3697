from django.apps import AppConfig


class MuseumConfig(AppConfig):
    name = "museum"
    label = "museum"

// The server writes times in UTC. The reader sees them in the browser's time zone.

/** Rewrites every <time datetime> below a node; data-style is "date", "time" or both (default). */
export function improveTimes(root) {
    const language = document.documentElement.lang || undefined;
    for (const time of root.querySelectorAll("time[datetime]")) {
        const instant = new Date(time.dateTime);
        if (Number.isNaN(instant.getTime()) || !time.dateTime.includes("T")) continue;
        const isToday = instant.toDateString() === new Date().toDateString();
        const date = { dateStyle: "medium" };
        const hours = { timeStyle: "short" };
        const style = time.dataset.style;
        const options = style === "date" ? date : style === "time" || isToday ? hours : { ...date, ...hours };
        time.textContent = new Intl.DateTimeFormat(language, options).format(instant);
        time.title = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" }).format(instant);
    }
}

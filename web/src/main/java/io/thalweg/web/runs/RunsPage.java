// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.runs;

import io.thalweg.web.page.JobPage;
import io.thalweg.web.page.Json;
import io.thalweg.web.server.Answer;
import io.thalweg.web.server.PageFile;
import io.thalweg.web.server.WebServer;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The page of all runs of a machine, under {@code /}. It changes nothing. */
public final class RunsPage {
    private static final int NOT_FOUND = 404;
    private static final Pattern ID = Pattern.compile("(?:.*&)?id=([0-9A-Za-z-]{1,60})(?:&.*)?");

    private RunsPage() {}

    /** Has a server show them. */
    public static void on(WebServer server, Runs runs) {
        server.serve("/", PageFile.of(RunsPage.class, "runs.html"));
        server.serve("/runs.js", PageFile.of(RunsPage.class, "runs.js"));
        server.serve("/steps.js", PageFile.of(RunsPage.class, "steps.js"));
        for (String shared : List.of("page.css", "text.js", "icon.svg")) {
            server.serve("/" + shared, PageFile.of(JobPage.class, shared));
        }
        server.serve("/api/jobs", query -> list("jobs", runs.running(), null));
        server.serve("/api/runs", query -> kept("runs", runs::past, runs));
        server.serve("/api/run", query -> one(runs::past, query, "run"));
        server.serve("/api/tunings", query -> kept("tunings", runs::tunings, runs));
        server.serve("/api/tuning", query -> one(runs::tuning, query, "tuning"));
    }

    private static Answer kept(String name, Supplier<List<String>> summaries, Runs runs) {
        try {
            return list(name, summaries.get(), runs.place());
        } catch (RuntimeException e) { // it is on a disk, which others use
            return problem(e);
        }
    }

    private static Answer one(Function<String, @Nullable String> details, String query, String what) {
        Matcher id = ID.matcher(query);
        try {
            String found = id.matches() ? details.apply(id.group(1)) : null;
            if (found == null) {
                return Answer.error(NOT_FOUND, "there is no such " + what);
            }
            return Json.isObject(found)
                    ? Answer.json(Answer.OK, found)
                    : problem(new IllegalStateException("what is kept of it is damaged"));
        } catch (RuntimeException e) {
            return problem(e);
        }
    }

    private static Answer problem(RuntimeException e) {
        return Answer.json(
                Answer.OK, Json.object(json -> json.writeStringField("problem", String.valueOf(e.getMessage()))));
    }

    private static Answer list(String name, List<String> objects, @Nullable String place) {
        List<String> whole = objects.stream().filter(Json::isObject).toList();
        return Answer.json(Answer.OK, Json.object(json -> {
            json.writeArrayFieldStart(name);
            for (String object : whole) {
                json.writeRawValue(object);
            }
            json.writeEndArray();
            if (whole.size() < objects.size()) { // or the page could read none of them
                json.writeNumberField("damaged", objects.size() - whole.size());
            }
            if (place != null) {
                json.writeStringField("place", place);
            }
        }));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** A file of a page, as it lies in the jar. */
public final class PageFile implements Resource {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private final Answer answer;

    private PageFile(Answer answer) {
        this.answer = answer;
    }

    /** @param beside the class whose package the file is in */
    public static PageFile of(Class<?> beside, String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null || type == null) {
                throw new IllegalStateException(name + " is missing in this jar");
            }
            return new PageFile(new Answer(Answer.OK, type, in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Answer read(String query) {
        return answer;
    }
}

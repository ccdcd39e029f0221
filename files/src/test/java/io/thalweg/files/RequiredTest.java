// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.files.record.Name;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What may be null, and what is said of what may not. */
final class RequiredTest {
    record Sale(int shop, String article, @Nullable Double discount, Optional<String> note) {}

    record Holder(@Name("the-list") List<Map<String, Integer>> list, Sale sale) {}

    record One(
            @Name("one-name") String name,
            @Elsewhere.Nullable Integer n) {}

    /** Somebody else's annotations, which stand at the component and not at its type. */
    static final class Elsewhere {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.RECORD_COMPONENT)
        @interface Nullable {}
    }

    @TempDir
    Path directory;

    private final FakeContext context = new FakeContext();

    @Test
    void shouldRefuseJsonWithoutWhatMustBeThere() throws Exception {
        assertThat(json(Sale.class, """
                {"shop":1,"article":"a","discount":0.5,"note":"n"}
                {"shop":2,"article":"a"}
                {"shop":3,"article":"","discount":null,"note":null}
                {"shop":4,"article":null}
                {"shop":5}
                {}
                """))
                .containsExactly(
                        new Sale(1, "a", 0.5, Optional.of("n")),
                        new Sale(2, "a", null, Optional.empty()),
                        new Sale(3, "", null, Optional.empty()));
        assertThat(context.reasons())
                .containsExactly(
                        "byte 24: 'article' is missing or null, and its component is not @Nullable; if it may be so,"
                                + " declare it '@Nullable String article'",
                        "byte 9: 'article' is missing or null, and its component is not @Nullable; if it may be so,"
                                + " declare it '@Nullable String article'",
                        "byte 1: 'shop' is missing, and its component is a primitive");
    }

    @Test
    void shouldSayWhereInJsonItIsMissing() throws Exception {
        assertThat(json(Holder.class, """
                {"the-list":[],"sale":{"shop":1}}
                {"sale":{"shop":1,"article":"a"}}
                """)).isEmpty();
        assertThat(context.reasons())
                .containsExactly(
                        "byte 31, 'sale': 'article' is missing or null, and its component is not @Nullable; if it may be"
                                + " so, declare it '@Nullable String article'",
                        "byte 32: 'the-list' is missing or null, and its component is not @Nullable; if it may be so,"
                                + " declare it '@Nullable List<Map<String, Integer>> list'");
    }

    @Test
    void shouldRefuseCsvWithoutWhatMustBeThere() throws Exception {
        assertThat(csv(Sale.class, """
                shop,article,discount,note
                1,a,0.5,n
                2,"",,
                3,,,
                ,a,,
                """))
                .containsExactly(new Sale(1, "a", 0.5, Optional.of("n")), new Sale(2, "", null, Optional.empty()));
        assertThat(context.reasons())
                .containsExactly(
                        "byte 2, column 'article': it is empty, and its component is not @Nullable; if it may be so,"
                                + " declare it '@Nullable String article'",
                        "byte 0, column 'shop': it is empty, and its component is a primitive");
    }

    @Test
    void shouldTakeAnyAnnotationOfThatName() throws Exception {
        assertThat(csv(One.class, "one-name,n\na,\n")).containsExactly(new One("a", null));
        assertThat(json(One.class, "{\"one-name\":\"a\"}\n")).containsExactly(new One("a", null));
    }

    private <R> List<R> json(Class<R> type, String text) throws Exception {
        Path file = Files.writeString(directory.resolve("in.jsonl"), text);
        return Reading.all(JsonLines.read(file.toString(), type), context);
    }

    private <R> List<R> csv(Class<R> type, String text) throws Exception {
        Path file = Files.writeString(directory.resolve("in.csv"), text);
        return Reading.all(Csv.read(file.toString(), type), context);
    }
}

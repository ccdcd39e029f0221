// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.testkit.TestSource;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The sources that need no connector. */
final class SourcesTest {
    // region source
    @Nested
    final class Numbers extends SourceContract<Long> {
        @Override
        protected Source<Long> source() {
            return Sources.generate(10, n -> n).splitInto(3);
        }

        @Override
        protected List<Long> records() {
            return List.of(0L, 3L, 6L, 9L, 1L, 4L, 7L, 2L, 5L, 8L); // split by split
        }
    }
    // endregion

    @Nested
    final class NumbersAtARate extends SourceContract<Long> {
        @Override
        protected Source<Long> source() {
            return Sources.generate(5, n -> n).rate(3);
        }

        @Override
        protected List<Long> records() {
            return List.of(0L, 1L, 2L, 3L, 4L);
        }
    }

    @Nested
    final class NoNumbers extends SourceContract<Long> {
        @Override
        protected Source<Long> source() {
            return Sources.generate(0, n -> n).splitInto(2);
        }

        @Override
        protected List<Long> records() {
            return List.of();
        }
    }

    @Nested
    final class AList extends SourceContract<String> {
        @Override
        protected Source<String> source() {
            return Sources.of("a", "b", "b", "");
        }

        @Override
        protected List<String> records() {
            return List.of("a", "b", "b", "");
        }
    }

    @Nested
    final class AListOfATest extends SourceContract<String> {
        private final TestSource<String> source = TestSource.of(String.class);

        @Override
        protected Source<String> source() {
            return source.add("a", "b", "c").end();
        }

        @Override
        protected List<String> records() {
            return List.of("a", "b", "c");
        }
    }
}

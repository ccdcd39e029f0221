// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.BadRecordException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class JoinTableTest {
    private final List<BadRecord> bad = new ArrayList<>();
    private final SourceContext context = new SourceContext() {
        @Override
        public void bad(BadRecord record) {
            bad.add(record);
        }

        @Override
        public long nowNs() {
            return 0;
        }
    };

    @Test
    void shouldReportRowsWithABadKey_andLeaveOutThoseWithoutOne() throws Exception {
        JoinTable table = JoinTable.read(join("a1", "bad", "none", "b2"), context);

        assertThat(bad).singleElement().satisfies(row -> {
            assertThat(row.reason()).isEqualTo("no key");
            assertThat(row.offset()).isEqualTo(1);
        });
        assertThat(table.rows()).containsOnlyKeys("a", "b");
        assertThat(table.join("b-")).isEqualTo("b-b2");
        assertThat(table.join("c-")).isNull();
        assertThat(table.join("none")).isNull();
    }

    @Test
    void shouldTellWhichRowTheKeyFunctionFailedFor() {
        JoinTable.RowException failure =
                catchThrowableOfType(JoinTable.RowException.class, () -> JoinTable.read(join("a1", "fails"), context));

        assertThat(failure.offset()).isEqualTo(1);
        assertThat(failure.thrown()).hasMessage("broken");
    }

    private static NodeSpec.TableJoin join(String... rows) {
        return new NodeSpec.TableJoin(
                Sources.of(Type.of(Object.class), List.of((Object[]) rows)),
                JoinTableTest::key,
                JoinTableTest::key,
                (value, row) -> row == null ? null : value + "" + row);
    }

    /** The first letter. */
    private static @Nullable Object key(Object row) {
        return switch ((String) row) {
            case "bad" -> throw new BadRecordException("no key", "bad");
            case "fails" -> throw new IllegalStateException("broken");
            case "none" -> null;
            default -> ((String) row).substring(0, 1);
        };
    }
}

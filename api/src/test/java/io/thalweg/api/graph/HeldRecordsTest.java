// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.OperatorContext;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HeldRecordsTest {
    /** Fails before it returns. */
    private static final class Failing implements AsyncOperator<Object, Object> {
        private static final long serialVersionUID = 1L;

        private int asked;

        @Override
        public CompletionStage<Object> apply(Object value) {
            asked++;
            throw new IllegalStateException("no service");
        }
    }

    private static OperatorContext context() {
        return (OperatorContext) Proxy.newProxyInstance(
                HeldRecordsTest.class.getClassLoader(),
                new Class<?>[] {OperatorContext.class},
                (proxy, method, given) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void shouldRetryOnceInATurn_andGiveUpInTime() throws Exception {
        long[] nowNs = {5};
        Failing operator = new Failing();
        HeldRecords<String> records = new HeldRecords<>(
                operator,
                context(),
                new AsyncMap.Options(true, 10, 1_000, new AsyncMap.Retry(Integer.MAX_VALUE, 0, thrown -> true), null),
                () -> nowNs[0],
                () -> {},
                record -> {});
        records.open();
        records.add("a", records.lookUp("a"));
        assertThat(operator.asked).isEqualTo(1);
        for (int turn = 1; turn <= 100; turn++) {
            records.hear();
            assertThat(operator.asked).isEqualTo(turn + 1);
            assertThat(records.poll()).isNull();
            assertThat(records.nextDueNs()).as("the next turn is due").isEqualTo(nowNs[0]);
        }

        nowNs[0] += TimeUnit.SECONDS.toNanos(1);
        records.hear();
        HeldRecords.Held<String> held = Objects.requireNonNull(records.poll());
        assertThat(held.record()).isEqualTo("a");
        assertThatThrownBy(held::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no service");
        assertThat(records.nextDueNs()).isZero();
        records.close();
    }
}

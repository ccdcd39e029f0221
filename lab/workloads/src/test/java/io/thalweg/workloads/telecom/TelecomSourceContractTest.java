// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.Source;
import io.thalweg.testkit.contract.SourceContract;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mode of the source. That what it reads is right is for {@link TelecomSourceTest} to see. */
@ParameterizedClass
@MethodSource("sources")
final class TelecomSourceContractTest extends SourceContract<Object> {
    static Stream<TelecomSource<?>> sources() {
        TelecomSettings few = TelecomSettings.of(SmallSizes.FOUR_CYCLES).withRecords(67);
        return Stream.of(
                TelecomSource.records(few),
                TelecomSource.records(few.withRecords(0)),
                TelecomSource.records(few.withRatePerSecond(10)),
                TelecomSource.records(few.withDisorder(2).withSplits(3).withBad(5)),
                TelecomSource.records(few.withDisorder(3).withLate(4)),
                TelecomSource.jsonLines(few.withBad(7)),
                TelecomSource.csvLines(few.withSplits(2)));
    }

    @Parameter
    TelecomSource<?> source;

    @Override
    protected Source<?> source() {
        return source;
    }

    @Override
    protected List<?> records() throws Exception {
        List<Object> records = new ArrayList<>();
        SteppedContext context = new SteppedContext();
        for (String split : source.splits(1)) {
            var reader = source.open(split, context);
            for (Object record = reader.poll(); !reader.finished() || record != null; record = reader.poll()) {
                if (record != null) {
                    records.add(record);
                }
                context.nowNs += 1_000_000_000;
            }
        }
        return records;
    }
}

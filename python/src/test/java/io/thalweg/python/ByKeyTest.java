// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rows that wait for the state of their key. */
final class ByKeyTest {
    private final ByKey waiting = new ByKey();
    private final KeyRows a = new KeyRows(new byte[] {1}, null);
    private final KeyRows b = new KeyRows(new byte[] {2}, null);

    private void add(String row, KeyRows key) {
        waiting.add(new Call(row, key, Call.TIMELESS));
    }

    private static List<Object> rows(List<Call> calls) {
        return calls.stream().map(call -> call.row).toList();
    }

    @Test
    void shouldTakeRowsOfAKeyTogether_andNoOthersUntilTheyAreAnswered() {
        add("a1", a);
        add("b1", b);
        add("a2", a);
        Batch first = new Batch(0, waiting.take(10));
        assertThat(rows(first.calls())).containsExactly("a1", "a2", "b1");

        add("a3", a);
        assertThat(waiting.size()).isZero();
        assertThat(waiting.take(10)).isEmpty();
        waiting.answered(first);
        assertThat(waiting.size()).isEqualTo(1);
        assertThat(rows(waiting.take(10))).containsExactly("a3");
    }

    @Test
    void shouldFreeAKeyOfWhichNoRowWasSent() {
        add("a1", a);
        add("a2", a);
        add("b1", b);
        Batch taken = new Batch(0, waiting.take(10));
        List<Call> calls = taken.calls();
        waiting.notSent(taken, new Packed(new Batch(0, calls.subList(0, 1)), calls.subList(1, 3), out -> {}));

        assertThat(rows(waiting.take(10))).as("a1 is under way").containsExactly("b1");
        waiting.answered(new Batch(0, calls.subList(0, 1)));
        assertThat(rows(waiting.take(10))).containsExactly("a2");
    }

    @Test
    void shouldAddNoKeyToABatchWithMuchState() {
        a.state = new byte[1 << 20];
        add("a1", a);
        add("b1", b);

        assertThat(rows(waiting.take(10))).containsExactly("a1");
        assertThat(rows(waiting.take(10))).containsExactly("b1");
    }

    @Test
    void shouldGiveUpAllRows() {
        add("a1", a);
        assertThat(waiting.take(1)).hasSize(1);
        add("a2", a);
        add("b1", b);

        assertThat(rows(waiting.clear())).containsExactlyInAnyOrder("a2", "b1");
        assertThat(waiting.size()).isZero();
    }

    /** Whatever is taken, left over and answered: a key is in one batch at a time, and its rows come in order, each once. */
    @Test
    void shouldKeepTheOrderOfEachKey() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            ByKey rows = new ByKey();
            List<KeyRows> keys = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                keys.add(new KeyRows(new byte[] {(byte) i}, null));
            }
            Map<KeyRows, Integer> added = new HashMap<>();
            Map<KeyRows, Integer> answered = new HashMap<>();
            List<Batch> sent = new ArrayList<>();
            Set<KeyRows> underWay = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int step = 0; step < 500 || rows.size() > 0 || !sent.isEmpty(); step++) {
                int does = random.nextInt(3);
                if (does == 0 && step < 500) {
                    KeyRows key = keys.get(random.nextInt(5));
                    rows.add(new Call(added.merge(key, 1, Integer::sum), key, Call.TIMELESS));
                } else if (does == 1) {
                    Batch taken = new Batch(step, rows.take(1 + random.nextInt(4)));
                    int kept = random.nextInt(taken.calls().size() + 1);
                    Batch whole = new Batch(step, taken.calls().subList(0, kept));
                    rows.notSent(
                            taken,
                            new Packed(
                                    whole,
                                    taken.calls().subList(kept, taken.calls().size()),
                                    out -> {}));
                    if (kept > 0) {
                        sent.add(whole);
                        whole.keys()
                                .forEach(each ->
                                        assertThat(underWay.add(each.key())).isTrue());
                    }
                } else if (!sent.isEmpty()) {
                    Batch done = sent.remove(random.nextInt(sent.size()));
                    done.keys().forEach(each -> underWay.remove(each.key()));
                    for (Call call : done.calls()) {
                        assertThat(call.row).as("seed %d", seed).isEqualTo(answered.merge(call.key(), 1, Integer::sum));
                    }
                    rows.answered(done);
                }
            }
            assertThat(answered).as("seed %d", seed).isEqualTo(added);
        }
    }
}

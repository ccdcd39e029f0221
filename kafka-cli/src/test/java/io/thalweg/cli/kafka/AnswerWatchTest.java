// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the user is told of a cluster that is silent. */
final class AnswerWatchTest {
    private static final String LOST = "no Kafka broker at host:1 answers; still trying";
    private static final String BACK = "a Kafka broker at host:1 answers again";

    private final List<String> said = new ArrayList<>();
    private final AnswerWatch watch = new AnswerWatch("host:1", said::add);

    private void look(int times) {
        IntStream.range(0, times).forEach(i -> watch.look());
    }

    @Test
    void shouldSayOnceThatNobodyAnswers_andOnceThatSomebodyDoes() {
        watch.asked();
        look(4);
        assertThat(said).isEmpty();
        look(20);
        assertThat(said).containsExactly(LOST);
        watch.answered();
        watch.asked();
        watch.answered();
        look(20);
        assertThat(said).containsExactly(LOST, BACK);
    }

    @Test
    void shouldSayNothing_ifNothingIsAskedOrSomethingIsHeard() {
        look(20);
        watch.asked();
        for (int i = 0; i < 10; i++) {
            look(4);
            watch.heard();
        }
        watch.answered();
        look(20);
        assertThat(said).isEmpty();
    }

    @Test
    void shouldNotSayThatSomebodyAnswers_ifTheClientGaveUp() {
        watch.asked();
        look(5);
        watch.gaveUp();
        look(5);
        assertThat(said).containsExactly(LOST);
        watch.asked();
        watch.answered();
        assertThat(said).containsExactly(LOST, BACK);
    }
}

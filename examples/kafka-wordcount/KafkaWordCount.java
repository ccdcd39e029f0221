// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.broker.TrialTopics;
import io.thalweg.kafka.Kafka;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How often each word comes in the messages of a topic, to another topic: the word is the key, the count the value.
 *
 * <p>Settings: {@code brokers=HOST:PORT}, {@code in=TOPIC} and {@code out=TOPIC}; {@code kafka.NAME=VALUE} sets a property of Kafka's
 * clients. Without {@code brokers} the job starts a broker of its own, fills the topic with a text, and prints the counts, too.
 */
public final class KafkaWordCount implements TopologyDefinition {
    record Word(String word, long n) {}

    private static final Pattern WORD = Pattern.compile("\\p{L}+");

    @Override
    public void define(Topology topology, Settings settings) throws Exception {
        String in = settings.text("in", "lines");
        String out = settings.text("out", "words");
        boolean own = !settings.has("brokers");
        String brokers = own ? ownBroker(settings, in, out) : settings.required("brokers");

        // region job
        Map<String, String> client = settings.startingWith("kafka."); // --set kafka.security.protocol=SSL
        Stream<Word> words = topology.from(
                        Kafka.read(brokers, in, Decoder.text()).untilLatest().set(client))
                .flatMap(line -> WORD.matcher(line.toLowerCase(Locale.ROOT))
                        .results()
                        .map(match -> match.group())
                        .toList())
                .as(String.class)
                .keyBy(word -> word)
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .map(result -> new Word(result.key(), result.value()));
        words.to(Kafka.<Word>write(brokers, out, KafkaWordCount::count)
                .key(Word::word)
                .set(client));
        // endregion
        if (own) {
            words.filter(word -> word.n() >= 5)
                    .to(Sinks.<Word>table("Words by how often they come")
                            .sortedBy((a, b) -> Comparator.comparing(Word::n)
                                    .reversed()
                                    .thenComparing(Word::word)
                                    .compare(a, b)));
        }
    }

    private static Encoder.Encoding<Word> count() {
        Encoder.Encoding<String> text = Encoder.text().open();
        return word -> text.encode(Long.toString(word.n()));
    }

    /** Starts a broker that ends with this process, and fills a topic. */
    private static String ownBroker(Settings settings, String in, String out) throws Exception {
        TrialBroker broker = TrialBroker.temporary(BrokerSetup.single());
        System.err.println("A Kafka broker for this job is at " + broker.address());
        try (TrialTopics topics = TrialTopics.at(broker.address())) {
            topics.create(in, 2);
            topics.create(out, 2);
            String[] lines = Files.readAllLines(settings.file("text", "../wordcount/river.txt"))
                    .toArray(String[]::new);
            topics.send(in, 0, lines);
        }
        return broker.address();
    }
}

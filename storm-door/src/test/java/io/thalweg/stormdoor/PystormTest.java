// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.python.Packages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Components of pystorm, the library of streamparse's components, as its users write them. */
@Timeout(900)
final class PystormTest {
    private static String interpreter;

    @TempDir
    private Path resources;

    private final Journal journal = new Journal();

    @BeforeAll
    static void install() {
        interpreter = Packages.interpreter(Packages.withPystorm()).toString();
    }

    @AfterEach
    void forget() {
        journal.forget();
    }

    private void script(String name, String text) throws IOException {
        Files.writeString(resources.resolve(name), text);
    }

    /** A sentence fails at its first try, and the spout emits it again. */
    @Test
    void shouldCountWords() throws Exception {
        script("sentences.py", """
                import time
                from pystorm import ReliableSpout

                class Sentences(ReliableSpout):
                    def initialize(self, conf, context):
                        self.sentences = conf["sentences"]
                        self.many = conf["many"]
                        self.at = 0

                    def next_tuple(self):
                        if self.at == self.many:
                            time.sleep(0.01)
                            return
                        self.emit([self.sentences[self.at % len(self.sentences)], self.at], tup_id=self.at)
                        self.at += 1

                Sentences().run()
                """);
        script("split.py", """
                from pystorm import Bolt

                class Split(Bolt):
                    auto_ack = False

                    def initialize(self, conf, context):
                        self.failed = False

                    def process(self, tup):
                        sentence, number = tup.values
                        if number == 7 and not self.failed:
                            self.failed = True
                            print("sentence 7 has to come again")
                            self.fail(tup)
                            return
                        for word in sentence.split():
                            self.emit([word])
                        self.ack(tup)

                Split().run()
                """);
        script("count.py", """
                from collections import Counter
                from pystorm import Bolt

                class Count(Bolt):
                    def initialize(self, conf, context):
                        self.counts = Counter()

                    def process(self, tup):
                        word = tup.values[0]
                        self.counts[word] += 1
                        self.logger.debug("%s %d", word, self.counts[word])
                        self.emit([word, self.counts[word]])

                Count().run()
                """);
        WordCount.run("pystorm", "py", interpreter, resources, journal);
    }
}

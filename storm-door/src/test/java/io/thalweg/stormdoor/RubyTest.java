// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Components in Ruby with the storm.rb of Storm's jars, run by JRuby. */
@Timeout(900)
@Tag("integration")
final class RubyTest {
    private String interpreter = "";

    @TempDir
    private Path resources;

    private final Journal journal = new Journal();

    @BeforeEach
    void install() throws IOException {
        Path jruby = Path.of("target", "ruby", "jruby.jar").toAbsolutePath();
        assertThat(jruby).isRegularFile();
        Path ruby = Files.writeString(resources.resolve("ruby"), """
                #!/bin/sh
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar '%s' --dev -E UTF-8 "$@"
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"), jruby));
        assertThat(ruby.toFile().setExecutable(true)).isTrue();
        interpreter = ruby.toString();
        try (InputStream in = Objects.requireNonNull(RubyTest.class.getResourceAsStream("/resources/storm.rb"))) {
            Files.copy(in, resources.resolve("storm.rb"));
        }
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
        script("sentences.rb", """
                require "./storm"

                class Sentences < Storm::Spout
                  def open(conf, context)
                    @sentences = conf["sentences"]
                    @many = conf["many"]
                    @todo = (0...@many).to_a
                  end

                  def nextTuple
                    number = @todo.shift
                    if number.nil?
                      sleep 0.01
                    else
                      emit [@sentences[number % @sentences.size], number], :id => number
                    end
                  end

                  def fail(id)
                    @todo << id
                  end
                end

                Sentences.new.run
                """);
        script("split.rb", """
                require "./storm"

                class Split < Storm::Bolt
                  def process(tup)
                    sentence, number = tup.values
                    if number == 7 && !@failed
                      @failed = true
                      logInfo "sentence 7 has to come again"
                      fail tup
                      return
                    end
                    sentence.split.each { |word| emit [word], :anchor => tup }
                    ack tup
                  end
                end

                Split.new.run
                """);
        script("count.rb", """
                require "./storm"

                class Count < Storm::Bolt
                  def prepare(conf, context)
                    @counts = Hash.new 0
                  end

                  def process(tup)
                    word = tup.values[0]
                    @counts[word] += 1
                    emit [word, @counts[word]], :anchor => tup
                    ack tup
                  end
                end

                Count.new.run
                """);
        WordCount.run("ruby", "rb", interpreter, resources, journal);
    }
}

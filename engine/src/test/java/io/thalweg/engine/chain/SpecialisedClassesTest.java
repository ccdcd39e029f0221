// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules that the compiler does not check, of each class that a {@link Specialiser} copies. */
final class SpecialisedClassesTest {
    private static final String PARTS = "$Parts.class";

    /** Of all records of parts there are, the classes they belong to. */
    private static List<Class<?>> specialised() throws Exception {
        Path root = Path.of(Specialiser.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(PARTS))
                    .map(file -> load(file.replace(".class", "")))
                    .filter(type -> type.isRecord() && Specialiser.Parts.class.isAssignableFrom(type))
                    .<Class<?>>map(Class::getDeclaringClass)
                    .toList();
        }
    }

    private static Class<?> load(String file) {
        try {
            return Class.forName(file.replace('/', '.').replace('\\', '.'));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldBeMadeOfTheirPartsAlone_byTheOnlyConstructor() throws Exception {
        List<Class<?>> all = specialised();

        assertThat(all).hasSizeGreaterThan(30).allSatisfy(type -> {
            assertThat(type.getDeclaredConstructors()).hasSize(1);
            assertThat(type.getDeclaredConstructors()[0].getParameterTypes())
                    .containsExactly(Class.forName(type.getName() + "$Parts"));
            assertThat(type.isRecord()).isFalse();
        });
    }

    /** The proxy of a lambda cannot name the class that the lambda is in. */
    @Test
    void shouldContainNoLambda() throws Exception {
        assertThat(specialised())
                .allSatisfy(type -> assertThat(classFile(type))
                        .as(type.getName())
                        .doesNotContain("java/lang/invoke/LambdaMetafactory"));
    }

    private static String classFile(Class<?> type) throws IOException {
        String name = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (var in = type.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("no class file of " + type);
            }
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}

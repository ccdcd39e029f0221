// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SplitReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MeteredTest {
    /** What is not passed on is the default, and the job another one than the user's. */
    @Test
    void shouldPassOnAllThatAConnectorOfTheUsersMaySay() throws Exception {
        assertThat(leftOut(MeteredSource.class, Source.class)).isEmpty();
        assertThat(leftOut(Class.forName(MeteredSource.class.getName() + "$Reader"), SplitReader.class))
                .isEmpty();
        assertThat(leftOut(MeteredSink.class, Sink.class)).isEmpty();
        assertThat(leftOut(Class.forName(MeteredSink.class.getName() + "$Writer"), SinkWriter.class))
                .isEmpty();
    }

    private static List<String> leftOut(Class<?> meter, Class<?> of) {
        List<Method> own = Arrays.asList(meter.getDeclaredMethods());
        return Arrays.stream(of.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> own.stream()
                        .noneMatch(each -> each.getName().equals(method.getName())
                                && Arrays.equals(each.getParameterTypes(), method.getParameterTypes())))
                .map(Method::toString)
                .toList();
    }
}

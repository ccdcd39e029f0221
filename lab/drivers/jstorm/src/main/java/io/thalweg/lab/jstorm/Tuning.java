// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import shade.storm.org.yaml.snakeyaml.Yaml;
import shade.storm.org.yaml.snakeyaml.constructor.SafeConstructor;

/** The options of each variant, from the driver.yaml that the lab prints them from. */
final class Tuning {
    private final Map<String, Map<String, Map<String, Object>>> variants;

    private Tuning(Map<String, Map<String, Map<String, Object>>> variants) {
        this.variants = variants;
    }

    static Tuning read() {
        try (InputStream file = Objects.requireNonNull(Tuning.class.getResourceAsStream("driver.yaml"))) {
            @SuppressWarnings("unchecked")
            Map<String, Map<String, Map<String, Map<String, Object>>>> driver =
                    (Map<String, Map<String, Map<String, Map<String, Object>>>>) new Yaml(new SafeConstructor())
                            .load(file);
            return new Tuning(Objects.requireNonNull(driver.get("variants")));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    Map<String, Object> of(String variant) {
        Map<String, Map<String, Object>> found = variants.get(variant);
        if (found == null) {
            throw new IllegalArgumentException("JStorm has no variant " + variant + ", but " + variants.keySet());
        }
        return Objects.requireNonNull(found.get("tuning"));
    }
}

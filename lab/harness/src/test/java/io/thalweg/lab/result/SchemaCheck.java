// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** For tests: holds results against their published schema. */
public final class SchemaCheck {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private SchemaCheck() {}

    /** What is wrong with them, nothing if all is right. */
    public static List<Error> errors(Results results) throws IOException {
        return errors(MAPPER.readTree(ResultFiles.toJson(results)));
    }

    static List<Error> errors(JsonNode results) throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema())
                .validate(results);
    }

    static JsonNode schema() throws IOException {
        try (var in = Objects.requireNonNull(Results.class.getResourceAsStream("results.schema.json"))) {
            return MAPPER.readTree(in);
        }
    }
}

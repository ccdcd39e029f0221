// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import java.io.IOException;

/** Reads what {@link RecordJson} has written of an observation or of a diagnosis, which holds one. */
public final class ObservationFile {
    private ObservationFile() {}

    /**
     * The observation.
     *
     * @throws IOException if it is none of this version; the message is one line
     */
    public static Observation read(byte[] text) throws IOException {
        int version = 0;
        boolean diagnosis = false;
        try (JsonParser json = new JsonFactory().createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it is no observation: no JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("version") && value == JsonToken.VALUE_NUMBER_INT) {
                    version = json.getIntValue();
                }
                diagnosis |= name.equals("observation");
                json.skipChildren();
            }
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            throw new IOException(
                    "it is not JSON from line " + (at == null ? 1 : at.getLineNr()) + " on: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
        if (version == 0) {
            throw new IOException("it is no observation: it has no version");
        }
        if (version != Observation.VERSION) {
            throw new IOException("it is of version " + version + ", and this Thalweg reads version "
                    + Observation.VERSION + " only");
        }
        Observation read = diagnosis
                ? RecordJson.read(text, Diagnosis.class).observation()
                : RecordJson.read(text, Observation.class);
        if (read.version() != Observation.VERSION) {
            throw new IOException("its observation is of version " + read.version()
                    + ", and this Thalweg reads version " + Observation.VERSION + " only");
        }
        if (read.spans().isEmpty() && read.group() == null) {
            throw new IOException("it has no spans: nothing was observed");
        }
        return read;
    }
}

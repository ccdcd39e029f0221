// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.security.MessageDigest;

/** Checks digests in four tasks; one source, with one split, makes the messages and is busy with that alone. */
public final class Signatures implements TopologyDefinition {
    record Message(long id, byte[] body) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, Signatures::message))
                .name("messages")
                .shuffle()
                .map(Signatures::digest)
                .name("digest")
                .filter(digest -> digest == 0)
                .name("wrong")
                .to(Sinks.discard());
    }

    static Message message(long i) {
        byte[] body = new byte[4096];
        long random = i;
        for (int at = 0; at < body.length; at++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            body[at] = (byte) (random >>> 56);
        }
        return new Message(i, body);
    }

    static int digest(Message message) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-1");
        digest.update(message.body(), 0, 512);
        return digest.digest()[0];
    }
}

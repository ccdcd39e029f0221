// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.DurationText;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Explains a client's exception in one line for the user. */
record Failures(ClientSettings settings) {
    /** @param what for instance {@code read topic orders} */
    ConnectorException of(String what, Throwable thrown) {
        Throwable cause =
                thrown instanceof ExecutionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof ConnectorException known) {
            return known;
        }
        String begin = "cannot " + what + " at " + settings.servers() + ": ";
        String said = settings.withoutSecrets(deepest(cause));
        if (cause instanceof TimeoutException) {
            if (settings.isPlain() && TlsProbe.speaksTls(settings.servers())) {
                return new ConnectorException(
                        begin
                                + "the broker accepts only TLS; set security.protocol to SSL, or to SASL_SSL if it asks for"
                                + " a login, and ssl.truststore.location",
                        null);
            }
            return new ConnectorException(
                    begin + "no answer within " + DurationText.of(settings.callTimeout())
                            + "; does a Kafka broker run there, with listeners that this machine can reach? (" + said
                            + ")",
                    null);
        }
        if (cause instanceof AuthorizationException) {
            return new ConnectorException(begin + "not authorised: " + said, null);
        }
        if (cause instanceof SslAuthenticationException) {
            return new ConnectorException(
                    begin + "TLS with the broker fails: " + said
                            + "; does ssl.truststore.location have its certificate, or that of its issuer?",
                    null);
        }
        if (cause instanceof AuthenticationException) {
            return new ConnectorException(begin + "the broker refuses the login: " + said, null);
        }
        if (cause instanceof UnsupportedVersionException) {
            return new ConnectorException(begin + "the broker is too old: " + said, null);
        }
        if (cause instanceof ConfigException || cause.getCause() instanceof ConfigException) {
            return new ConnectorException(begin + "the client's settings are not valid: " + said, null);
        }
        return new ConnectorException(begin + said, null);
    }

    /** @param transactionalId empty if there are no transactions */
    ConnectorException ofWriting(SinkSettings sink, String transactionalId, Throwable thrown) {
        String begin = "cannot write " + sink + " at " + settings.servers() + ": ";
        String said = settings.withoutSecrets(deepest(thrown));
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof ProducerFencedException
                    || at instanceof InvalidProducerEpochException
                    || at instanceof InvalidTxnStateException) {
                return new ConnectorException(
                        begin + "the transactional id " + transactionalId + " was taken from this job: another job"
                                + " writes with the same transactionalIdPrefix(…), or the transaction was open for longer"
                                + " than transaction.timeout.ms, which is "
                                + sink.number(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG)
                                + "; take checkpoints more often, or set it higher (" + said + ")",
                        null);
            }
            if (at instanceof RecordTooLargeException) {
                return new ConnectorException(
                        begin + "a message is too large, also compressed, for max.message.bytes of the topic (" + said
                                + ")",
                        null);
            }
            if (at instanceof TimeoutException) {
                return new ConnectorException(
                        begin + "the cluster has not taken it in time; set delivery.timeout.ms and max.block.ms to wait"
                                + " longer (" + said + ")",
                        null);
            }
        }
        return of("write " + sink, thrown);
    }

    /** The innermost message: "Failed to construct kafka consumer" does not help, its cause does. */
    private static String deepest(Throwable thrown) {
        Throwable at = thrown;
        while (at.getCause() != null
                && at.getCause().getMessage() != null
                && !String.valueOf(at.getMessage()).contains("password was incorrect")) { // below is how it was noticed
            at = at.getCause();
        }
        String message = at.getMessage();
        String first =
                message == null ? "" : message.strip().lines().findFirst().orElse("");
        return first.isEmpty() ? at.getClass().getSimpleName() : first;
    }
}

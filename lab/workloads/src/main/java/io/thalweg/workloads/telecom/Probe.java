// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What a network probe reports of one flow. The components' names are the names of the fields in JSON and CSV.
 *
 * @param time event time, epoch milliseconds
 */
public record Probe(
        long time,
        Cell cell,
        Device device,
        Subscriber subscriber,
        Service service,
        Session session,
        Measures measures) {

    /** All 62 dimensions, to group by. */
    public Dimensions dimensions() {
        return new Dimensions(cell, device, subscriber, service, session);
    }

    public record Cell(
            String cellId,
            String site,
            int sector,
            int tac,
            String city,
            String province,
            String region,
            String ranVendor,
            String rat,
            String band,
            int earfcn,
            String mmeAmf,
            String sgw,
            String upf,
            String probeId,
            String cellClass) {}

    public record Device(
            int deviceTac,
            String model,
            String vendor,
            String os,
            String osVersion,
            String deviceType,
            boolean nrCapable,
            boolean volte,
            String simType,
            String release) {}

    public record Subscriber(
            int imsiBucket,
            String plan,
            String segment,
            boolean prepaid,
            @Nullable String mvno,
            int homeMcc,
            int homeMnc,
            String roamingType,
            @Nullable String ageBand,
            @Nullable String corporateId,
            String imsiPrefix) {}

    public record Service(
            String app,
            String appCategory,
            String l7Proto,
            int l4Proto,
            int serverPort,
            int asn,
            @Nullable String cdn,
            String serverCountry,
            int ipVersion,
            @Nullable String tlsVersion,
            @Nullable String sni,
            @Nullable String alpn,
            @Nullable String contentType,
            int ratingGroup,
            String apn) {}

    public record Session(
            int recordType,
            int qci5qi,
            int arp,
            int sliceSst,
            String sliceSd,
            String direction,
            int causeClose,
            @Nullable Integer releaseCause,
            @Nullable String handoverType,
            @Nullable String codec) {}

    /** @param cost of scale 4 */
    public record Measures(
            int records,
            long bytesUp,
            long bytesDown,
            long pktsUp,
            long pktsDown,
            long durationMs,
            long retrans,
            long dnsMs,
            long tcpMs,
            int drops,
            int handovers,
            int setupFail,
            double rtt,
            double jitter,
            double mos,
            int rsrp,
            int sinr,
            @Nullable Long volumeCharged,
            @Nullable BigDecimal cost,
            @Nullable Double sparse) {}
}

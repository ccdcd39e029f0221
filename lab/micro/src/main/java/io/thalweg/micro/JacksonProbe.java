// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.thalweg.workloads.telecom.Probe;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the telecom record with Jackson's streaming parser, as one would write it by hand for speed. */
final class JacksonProbe {
    private static final JsonFactory JACKSON = new JsonFactory();

    private JacksonProbe() {}

    static Probe read(byte[] bytes, int from, int to) throws IOException {
        try (JsonParser in = JACKSON.createParser(bytes, from, to - from)) {
            in.nextToken();
            return probe(in);
        }
    }

    private static String text(JsonParser in) throws IOException {
        in.nextToken();
        return in.getText();
    }

    private static @Nullable String textOrNull(JsonParser in) throws IOException {
        return in.nextToken() == JsonToken.VALUE_NULL ? null : in.getText();
    }

    private static Probe probe(JsonParser in) throws IOException {
        long time = 0;
        Probe.@Nullable Cell cell = null;
        Probe.@Nullable Device device = null;
        Probe.@Nullable Subscriber subscriber = null;
        Probe.@Nullable Service service = null;
        Probe.@Nullable Session session = null;
        Probe.@Nullable Measures measures = null;
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            switch (name) {
                case "time" -> {
                    in.nextToken();
                    time = in.getLongValue();
                }
                case "cell" -> {
                    in.nextToken();
                    cell = cell(in);
                }
                case "device" -> {
                    in.nextToken();
                    device = device(in);
                }
                case "subscriber" -> {
                    in.nextToken();
                    subscriber = subscriber(in);
                }
                case "service" -> {
                    in.nextToken();
                    service = service(in);
                }
                case "session" -> {
                    in.nextToken();
                    session = session(in);
                }
                case "measures" -> {
                    in.nextToken();
                    measures = measures(in);
                }
                default -> {
                    in.nextToken();
                    in.skipChildren();
                }
            }
        }
        return new Probe(
                time,
                Objects.requireNonNull(cell),
                Objects.requireNonNull(device),
                Objects.requireNonNull(subscriber),
                Objects.requireNonNull(service),
                Objects.requireNonNull(session),
                Objects.requireNonNull(measures));
    }

    private static Probe.Cell cell(JsonParser in) throws IOException {
        String cellId = "";
        String site = "";
        int sector = 0;
        int tac = 0;
        String city = "";
        String province = "";
        String region = "";
        String ranVendor = "";
        String rat = "";
        String band = "";
        int earfcn = 0;
        String mmeAmf = "";
        String sgw = "";
        String upf = "";
        String probeId = "";
        String cellClass = "";
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            switch (name) {
                case "cellId" -> cellId = text(in);
                case "site" -> site = text(in);
                case "sector" -> {
                    in.nextToken();
                    sector = in.getIntValue();
                }
                case "tac" -> {
                    in.nextToken();
                    tac = in.getIntValue();
                }
                case "city" -> city = text(in);
                case "province" -> province = text(in);
                case "region" -> region = text(in);
                case "ranVendor" -> ranVendor = text(in);
                case "rat" -> rat = text(in);
                case "band" -> band = text(in);
                case "earfcn" -> {
                    in.nextToken();
                    earfcn = in.getIntValue();
                }
                case "mmeAmf" -> mmeAmf = text(in);
                case "sgw" -> sgw = text(in);
                case "upf" -> upf = text(in);
                case "probeId" -> probeId = text(in);
                case "cellClass" -> cellClass = text(in);
                default -> {
                    in.nextToken();
                    in.skipChildren();
                }
            }
        }
        return new Probe.Cell(
                cellId, site, sector, tac, city, province, region, ranVendor, rat, band, earfcn, mmeAmf, sgw, upf,
                probeId, cellClass);
    }

    private static Probe.Device device(JsonParser in) throws IOException {
        int deviceTac = 0;
        String model = "";
        String vendor = "";
        String os = "";
        String osVersion = "";
        String deviceType = "";
        boolean nrCapable = false;
        boolean volte = false;
        String simType = "";
        String release = "";
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            switch (name) {
                case "deviceTac" -> {
                    in.nextToken();
                    deviceTac = in.getIntValue();
                }
                case "model" -> model = text(in);
                case "vendor" -> vendor = text(in);
                case "os" -> os = text(in);
                case "osVersion" -> osVersion = text(in);
                case "deviceType" -> deviceType = text(in);
                case "nrCapable" -> {
                    in.nextToken();
                    nrCapable = in.getBooleanValue();
                }
                case "volte" -> {
                    in.nextToken();
                    volte = in.getBooleanValue();
                }
                case "simType" -> simType = text(in);
                case "release" -> release = text(in);
                default -> {
                    in.nextToken();
                    in.skipChildren();
                }
            }
        }
        return new Probe.Device(
                deviceTac, model, vendor, os, osVersion, deviceType, nrCapable, volte, simType, release);
    }

    private static Probe.Subscriber subscriber(JsonParser in) throws IOException {
        int imsiBucket = 0;
        String plan = "";
        String segment = "";
        boolean prepaid = false;
        @Nullable String mvno = null;
        int homeMcc = 0;
        int homeMnc = 0;
        String roamingType = "";
        @Nullable String ageBand = null;
        @Nullable String corporateId = null;
        String imsiPrefix = "";
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            switch (name) {
                case "imsiBucket" -> {
                    in.nextToken();
                    imsiBucket = in.getIntValue();
                }
                case "plan" -> plan = text(in);
                case "segment" -> segment = text(in);
                case "prepaid" -> {
                    in.nextToken();
                    prepaid = in.getBooleanValue();
                }
                case "mvno" -> mvno = textOrNull(in);
                case "homeMcc" -> {
                    in.nextToken();
                    homeMcc = in.getIntValue();
                }
                case "homeMnc" -> {
                    in.nextToken();
                    homeMnc = in.getIntValue();
                }
                case "roamingType" -> roamingType = text(in);
                case "ageBand" -> ageBand = textOrNull(in);
                case "corporateId" -> corporateId = textOrNull(in);
                case "imsiPrefix" -> imsiPrefix = text(in);
                default -> {
                    in.nextToken();
                    in.skipChildren();
                }
            }
        }
        return new Probe.Subscriber(
                imsiBucket,
                plan,
                segment,
                prepaid,
                mvno,
                homeMcc,
                homeMnc,
                roamingType,
                ageBand,
                corporateId,
                imsiPrefix);
    }

    private static Probe.Service service(JsonParser in) throws IOException {
        String app = "";
        String appCategory = "";
        String l7Proto = "";
        int l4Proto = 0;
        int serverPort = 0;
        int asn = 0;
        @Nullable String cdn = null;
        String serverCountry = "";
        int ipVersion = 0;
        @Nullable String tlsVersion = null;
        @Nullable String sni = null;
        @Nullable String alpn = null;
        @Nullable String contentType = null;
        int ratingGroup = 0;
        String apn = "";
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            switch (name) {
                case "app" -> app = text(in);
                case "appCategory" -> appCategory = text(in);
                case "l7Proto" -> l7Proto = text(in);
                case "l4Proto" -> {
                    in.nextToken();
                    l4Proto = in.getIntValue();
                }
                case "serverPort" -> {
                    in.nextToken();
                    serverPort = in.getIntValue();
                }
                case "asn" -> {
                    in.nextToken();
                    asn = in.getIntValue();
                }
                case "cdn" -> cdn = textOrNull(in);
                case "serverCountry" -> serverCountry = text(in);
                case "ipVersion" -> {
                    in.nextToken();
                    ipVersion = in.getIntValue();
                }
                case "tlsVersion" -> tlsVersion = textOrNull(in);
                case "sni" -> sni = textOrNull(in);
                case "alpn" -> alpn = textOrNull(in);
                case "contentType" -> contentType = textOrNull(in);
                case "ratingGroup" -> {
                    in.nextToken();
                    ratingGroup = in.getIntValue();
                }
                case "apn" -> apn = text(in);
                default -> {
                    in.nextToken();
                    in.skipChildren();
                }
            }
        }
        return new Probe.Service(
                app,
                appCategory,
                l7Proto,
                l4Proto,
                serverPort,
                asn,
                cdn,
                serverCountry,
                ipVersion,
                tlsVersion,
                sni,
                alpn,
                contentType,
                ratingGroup,
                apn);
    }

    private static Probe.Session session(JsonParser in) throws IOException {
        int recordType = 0;
        int qci5qi = 0;
        int arp = 0;
        int sliceSst = 0;
        String sliceSd = "";
        String direction = "";
        int causeClose = 0;
        @Nullable Integer releaseCause = null;
        @Nullable String handoverType = null;
        @Nullable String codec = null;
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            switch (name) {
                case "recordType" -> {
                    in.nextToken();
                    recordType = in.getIntValue();
                }
                case "qci5qi" -> {
                    in.nextToken();
                    qci5qi = in.getIntValue();
                }
                case "arp" -> {
                    in.nextToken();
                    arp = in.getIntValue();
                }
                case "sliceSst" -> {
                    in.nextToken();
                    sliceSst = in.getIntValue();
                }
                case "sliceSd" -> sliceSd = text(in);
                case "direction" -> direction = text(in);
                case "causeClose" -> {
                    in.nextToken();
                    causeClose = in.getIntValue();
                }
                case "releaseCause" ->
                    releaseCause = in.nextToken() == JsonToken.VALUE_NULL ? null : (Integer) in.getIntValue();
                case "handoverType" -> handoverType = textOrNull(in);
                case "codec" -> codec = textOrNull(in);
                default -> {
                    in.nextToken();
                    in.skipChildren();
                }
            }
        }
        return new Probe.Session(
                recordType, qci5qi, arp, sliceSst, sliceSd, direction, causeClose, releaseCause, handoverType, codec);
    }

    private static Probe.Measures measures(JsonParser in) throws IOException {
        int records = 0;
        long bytesUp = 0;
        long bytesDown = 0;
        long pktsUp = 0;
        long pktsDown = 0;
        long durationMs = 0;
        long retrans = 0;
        long dnsMs = 0;
        long tcpMs = 0;
        int drops = 0;
        int handovers = 0;
        int setupFail = 0;
        double rtt = 0;
        double jitter = 0;
        double mos = 0;
        int rsrp = 0;
        int sinr = 0;
        @Nullable Long volumeCharged = null;
        @Nullable BigDecimal cost = null;
        @Nullable Double sparse = null;
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            switch (name) {
                case "records" -> {
                    in.nextToken();
                    records = in.getIntValue();
                }
                case "bytesUp" -> {
                    in.nextToken();
                    bytesUp = in.getLongValue();
                }
                case "bytesDown" -> {
                    in.nextToken();
                    bytesDown = in.getLongValue();
                }
                case "pktsUp" -> {
                    in.nextToken();
                    pktsUp = in.getLongValue();
                }
                case "pktsDown" -> {
                    in.nextToken();
                    pktsDown = in.getLongValue();
                }
                case "durationMs" -> {
                    in.nextToken();
                    durationMs = in.getLongValue();
                }
                case "retrans" -> {
                    in.nextToken();
                    retrans = in.getLongValue();
                }
                case "dnsMs" -> {
                    in.nextToken();
                    dnsMs = in.getLongValue();
                }
                case "tcpMs" -> {
                    in.nextToken();
                    tcpMs = in.getLongValue();
                }
                case "drops" -> {
                    in.nextToken();
                    drops = in.getIntValue();
                }
                case "handovers" -> {
                    in.nextToken();
                    handovers = in.getIntValue();
                }
                case "setupFail" -> {
                    in.nextToken();
                    setupFail = in.getIntValue();
                }
                case "rtt" -> {
                    in.nextToken();
                    rtt = in.getDoubleValue();
                }
                case "jitter" -> {
                    in.nextToken();
                    jitter = in.getDoubleValue();
                }
                case "mos" -> {
                    in.nextToken();
                    mos = in.getDoubleValue();
                }
                case "rsrp" -> {
                    in.nextToken();
                    rsrp = in.getIntValue();
                }
                case "sinr" -> {
                    in.nextToken();
                    sinr = in.getIntValue();
                }
                case "volumeCharged" ->
                    volumeCharged = in.nextToken() == JsonToken.VALUE_NULL ? null : (Long) in.getLongValue();
                case "cost" -> cost = in.nextToken() == JsonToken.VALUE_NULL ? null : in.getDecimalValue();
                case "sparse" -> sparse = in.nextToken() == JsonToken.VALUE_NULL ? null : (Double) in.getDoubleValue();
                default -> {
                    in.nextToken();
                    in.skipChildren();
                }
            }
        }
        return new Probe.Measures(
                records,
                bytesUp,
                bytesDown,
                pktsUp,
                pktsDown,
                durationMs,
                retrans,
                dnsMs,
                tcpMs,
                drops,
                handovers,
                setupFail,
                rtt,
                jitter,
                mos,
                rsrp,
                sinr,
                volumeCharged,
                cost,
                sparse);
    }
}

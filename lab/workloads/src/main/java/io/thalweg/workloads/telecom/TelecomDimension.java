// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.topology.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The 62 dimensions, in the order of JSON and CSV. */
public enum TelecomDimension {
    CELL_ID(d -> d.cell().cellId()),
    SITE(d -> d.cell().site()),
    SECTOR(d -> d.cell().sector()),
    TAC(d -> d.cell().tac()),
    CITY(d -> d.cell().city()),
    PROVINCE(d -> d.cell().province()),
    REGION(d -> d.cell().region()),
    RAN_VENDOR(d -> d.cell().ranVendor()),
    RAT(d -> d.cell().rat()),
    BAND(d -> d.cell().band()),
    EARFCN(d -> d.cell().earfcn()),
    MME_AMF(d -> d.cell().mmeAmf()),
    SGW(d -> d.cell().sgw()),
    UPF(d -> d.cell().upf()),
    PROBE_ID(d -> d.cell().probeId()),
    CELL_CLASS(d -> d.cell().cellClass()),
    DEVICE_TAC(d -> d.device().deviceTac()),
    MODEL(d -> d.device().model()),
    VENDOR(d -> d.device().vendor()),
    OS(d -> d.device().os()),
    OS_VERSION(d -> d.device().osVersion()),
    DEVICE_TYPE(d -> d.device().deviceType()),
    NR_CAPABLE(d -> d.device().nrCapable()),
    VOLTE(d -> d.device().volte()),
    SIM_TYPE(d -> d.device().simType()),
    RELEASE(d -> d.device().release()),
    IMSI_BUCKET(d -> d.subscriber().imsiBucket()),
    PLAN(d -> d.subscriber().plan()),
    SEGMENT(d -> d.subscriber().segment()),
    PREPAID(d -> d.subscriber().prepaid()),
    MVNO(d -> d.subscriber().mvno()),
    HOME_MCC(d -> d.subscriber().homeMcc()),
    HOME_MNC(d -> d.subscriber().homeMnc()),
    ROAMING_TYPE(d -> d.subscriber().roamingType()),
    AGE_BAND(d -> d.subscriber().ageBand()),
    CORPORATE_ID(d -> d.subscriber().corporateId()),
    IMSI_PREFIX(d -> d.subscriber().imsiPrefix()),
    APP(d -> d.service().app()),
    APP_CATEGORY(d -> d.service().appCategory()),
    L7_PROTO(d -> d.service().l7Proto()),
    L4_PROTO(d -> d.service().l4Proto()),
    SERVER_PORT(d -> d.service().serverPort()),
    ASN(d -> d.service().asn()),
    CDN(d -> d.service().cdn()),
    SERVER_COUNTRY(d -> d.service().serverCountry()),
    IP_VERSION(d -> d.service().ipVersion()),
    TLS_VERSION(d -> d.service().tlsVersion()),
    SNI(d -> d.service().sni()),
    ALPN(d -> d.service().alpn()),
    CONTENT_TYPE(d -> d.service().contentType()),
    RATING_GROUP(d -> d.service().ratingGroup()),
    APN(d -> d.service().apn()),
    RECORD_TYPE(d -> d.session().recordType()),
    QCI_5QI(d -> d.session().qci5qi()),
    ARP(d -> d.session().arp()),
    SLICE_SST(d -> d.session().sliceSst()),
    SLICE_SD(d -> d.session().sliceSd()),
    DIRECTION(d -> d.session().direction()),
    CAUSE_CLOSE(d -> d.session().causeClose()),
    RELEASE_CAUSE(d -> d.session().releaseCause()),
    HANDOVER_TYPE(d -> d.session().handoverType()),
    CODEC(d -> d.session().codec());

    private interface Accessor {
        @Nullable Object of(Dimensions dimensions);
    }

    private final Accessor accessor;
    private final String fieldName;

    TelecomDimension(Accessor accessor) {
        this.accessor = accessor;
        this.fieldName = camelCase(name());
    }

    /** The name of the component, as in JSON and CSV: {@code cellId}. */
    public String fieldName() {
        return fieldName;
    }

    /** The object it stands in, as in JSON. */
    String part() {
        if (compareTo(DEVICE_TAC) < 0) {
            return "cell";
        }
        if (compareTo(IMSI_BUCKET) < 0) {
            return "device";
        }
        if (compareTo(APP) < 0) {
            return "subscriber";
        }
        return compareTo(RECORD_TYPE) < 0 ? "service" : "session";
    }

    boolean beginsPart() {
        return this == CELL_ID || this == DEVICE_TAC || this == IMSI_BUCKET || this == APP || this == RECORD_TYPE;
    }

    /** A String, an Integer or a Boolean; null if the dimension is empty. */
    public @Nullable Object value(Dimensions dimensions) {
        return accessor.of(dimensions);
    }

    /** The value as a text, as CSV has it; null if the dimension is empty. */
    public @Nullable String text(Dimensions dimensions) {
        Object value = accessor.of(dimensions);
        return value == null ? null : value.toString();
    }

    /** What a user set as {@code dims}; all of them otherwise. */
    public static List<TelecomDimension> from(Settings settings) {
        String names = settings.text("dims", "all");
        return TelecomSettings.checked("dims", names, () -> list(names));
    }

    /**
     * Reads {@code region,rat}, or {@code all}. A name may be written as in JSON, {@code cellId}, or as {@code cell_id}.
     *
     * @throws IllegalArgumentException with all names, where one is unknown or comes twice
     */
    public static List<TelecomDimension> list(String names) {
        if (names.trim().equals("all")) {
            return List.of(values());
        }
        List<TelecomDimension> dimensions =
                Arrays.stream(names.split(",", -1)).map(TelecomDimension::named).toList();
        if (dimensions.stream().distinct().count() < dimensions.size()) {
            throw new IllegalArgumentException("a dimension comes twice in '" + names + "'");
        }
        return dimensions;
    }

    private static TelecomDimension named(String name) {
        String wanted = name.trim();
        for (TelecomDimension dimension : values()) {
            if (dimension.fieldName.equals(wanted)
                    || dimension.name().toLowerCase(Locale.ROOT).equals(wanted)) {
                return dimension;
            }
        }
        throw new IllegalArgumentException("there is no dimension '" + wanted + "'; there are: "
                + Arrays.stream(values()).map(TelecomDimension::fieldName).collect(Collectors.joining(", ")));
    }

    private static String camelCase(String name) {
        return Arrays.stream(name.split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(),
                        joined -> joined.substring(0, 1).toLowerCase(Locale.ROOT) + joined.substring(1)));
    }
}

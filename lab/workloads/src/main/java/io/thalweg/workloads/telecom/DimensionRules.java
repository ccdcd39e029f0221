// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import org.jspecify.annotations.Nullable;

/**
 * From a profile's number to its 62 dimensions: five roots, each a hash of the number, and everything else a fixed
 * function of its root, as in real rows, which have many columns and few degrees of freedom.
 */
final class DimensionRules {
    static final int CELLS = 60_000;
    static final int DEVICES = 12_000;
    static final int SUBSCRIBERS = 1 << 20;
    static final int SERVICES = 2_500;
    static final int SESSIONS = 4_096;

    /** Channel numbers: four for each band of LTE and NR, two for UMTS, one each for GSM and NB-IoT. */
    private static final int[][][] CHANNELS = {
        {
            {100, 300, 400, 500},
            {1_300, 1_450, 1_650, 1_850},
            {2_850, 3_000, 3_200, 3_350},
            {3_500, 3_600, 3_700, 3_749},
            {6_200, 6_300, 6_350, 6_400},
            {9_260, 9_360, 9_410, 9_510}
        },
        {
            {424_000, 427_000, 430_000, 433_000},
            {152_600, 154_600, 156_600, 158_600},
            {627_264, 632_928, 641_280, 650_000}
        },
        {{10_588, 10_663}},
        {{62}},
        {{6_253}}
    };

    private static final int[] L7_SERVICES = {825, 150, 120, 100, 85, 70, 60, 50, 40, 25}; // 33 %, all ten 61 %
    private static final int[] L4_OF_L7 = {6, 17, 17, 6, 17, 17, 1, 17, 17, 6};
    private static final int[] QCI_5QI = {1, 2, 3, 4, 5, 6, 7, 8, 9, 65, 66, 69, 70, 79};
    private static final int[] RAT_PERCENT = {62, 22, 9, 5, 2};
    private static final int[] OS_VERSIONS = {60, 30, 8, 4, 4, 6, 4, 2, 2};
    private static final int[] DEVICE_TYPE_SHARES = {14, 1, 1, 1, 1, 1, 1};

    private static final byte[] RAT_OF_PERCENT = spread(RAT_PERCENT);
    private static final byte[] OS_OF_VERSION = spread(OS_VERSIONS);
    private static final byte[] DEVICE_TYPE_OF_SHARE = spread(DEVICE_TYPE_SHARES);
    private static final byte[] TOP_L7_OF_SERVICE = spread(L7_SERVICES);

    /** True if the cell's number alone cannot tell all profiles apart, so that the subscriber's has to help. */
    private final boolean moreProfilesThanCells;

    DimensionRules(int profiles) {
        moreProfilesThanCells = profiles > CELLS;
    }

    Dimensions dimensions(int profile) {
        return new Dimensions(cell(profile), device(profile), subscriber(profile), service(profile), session(profile));
    }

    private static Probe.Cell cell(int profile) {
        int number = profile % CELLS;
        int cell = Mix.CELL.of(number, CELLS);
        int site = cell / 3;
        int tac = site * 3 / 50;
        int city = tac * 3 / 4;
        int province = city / 15;
        int region = province / 5;
        int rat = RAT_OF_PERCENT[cell % 100];
        int band = cell / 100 % Vocabulary.BAND_OF_RAT[rat].length;
        int[] channels = CHANNELS[rat][band];
        return new Probe.Cell(
                "c" + Integer.toString(number, 36),
                Vocabulary.SITE[site],
                1 + cell % 3,
                1_000 + tac,
                Vocabulary.CITY[city],
                Vocabulary.PROVINCE[province],
                Vocabulary.REGION[region],
                Vocabulary.RAN_VENDOR[province % 4],
                Vocabulary.RAT[rat],
                Vocabulary.BAND_OF_RAT[rat][band],
                channels[cell / 700 % channels.length],
                Vocabulary.MME_AMF[region],
                Vocabulary.SGW[province * 2 / 5],
                Vocabulary.UPF[city % 16],
                Vocabulary.PROBE_ID[tac / 25],
                Vocabulary.CELL_CLASS[site % 4]);
    }

    private static Probe.Device device(int profile) {
        int device = Mix.DEVICE.of(profile, DEVICES);
        int model = device * 2 / 3;
        int osVersion = model % 120;
        int release = model / 1_000;
        return new Probe.Device(
                35_000_000 + 83 * device,
                Vocabulary.MODEL[model],
                Vocabulary.DEVICE_VENDOR[model * 9 / 400],
                Vocabulary.OS[OS_OF_VERSION[osVersion]],
                Vocabulary.OS_VERSION[osVersion],
                Vocabulary.DEVICE_TYPE[DEVICE_TYPE_OF_SHARE[model / 120 % 20]],
                release >= 5,
                release >= 2,
                Vocabulary.SIM_TYPE[model % 4 == 0 ? 1 : 0],
                Vocabulary.RELEASE[release]);
    }

    private Probe.Subscriber subscriber(int profile) {
        int subscriber = Mix.SUBSCRIBER.of(profile, SUBSCRIBERS);
        int plan = subscriber % 90;
        int network = Math.max(0, subscriber / 7 % 2_300 - 2_070); // 0, nine times in ten, is the home network
        int imsi = moreProfilesThanCells ? profile / CELLS * SUBSCRIBERS + subscriber : subscriber >>> 10;
        return new Probe.Subscriber(
                imsi,
                Vocabulary.PLAN[plan],
                Vocabulary.SEGMENT[plan / 15],
                plan % 5 < 2,
                unless(Mix.MVNO_EMPTY.within(profile, 85), Vocabulary.MVNO[subscriber / 90 % 14]),
                network == 0 ? 1 : 200 + network,
                network == 0 ? subscriber % 4 : subscriber / 3 % 700,
                Vocabulary.ROAMING_TYPE[network == 0 ? 0 : 1 + network % 3],
                unless(Mix.AGE_BAND_EMPTY.within(profile, 35), Vocabulary.AGE_BAND[subscriber / 16 % 8]),
                unless(Mix.CORPORATE_EMPTY.within(profile, 92), Vocabulary.CORPORATE_ID[subscriber % 3_000]),
                Vocabulary.IMSI_PREFIX[subscriber / 11 % 60]);
    }

    private static Probe.Service service(int profile) {
        int service = Mix.SERVICE.of(profile, SERVICES);
        int top = TOP_L7_OF_SERVICE.length;
        int l7 = service < top ? TOP_L7_OF_SERVICE[service] : L7_SERVICES.length + (service - top) % 240;
        boolean noTls = Mix.TLS_EMPTY.within(profile, 58);
        return new Probe.Service(
                Vocabulary.APP[service],
                Vocabulary.APP_CATEGORY[service % 35],
                Vocabulary.L7_PROTO[l7],
                l7 < L4_OF_L7.length ? L4_OF_L7[l7] : l7 % 2 == 0 ? 6 : 17,
                service % 5 == 0 ? 443 : 1_024 + 97 * (service % 399),
                1_000 + service % 600 * 5 + Mix.ASN.of(profile, 5),
                unless(Mix.CDN_EMPTY.within(profile, 60), Vocabulary.CDN[service % 20]),
                Vocabulary.SERVER_COUNTRY[service / 3 % 120],
                service / 4 % 10 < 6 ? 4 : 6,
                unless(noTls, Vocabulary.TLS_VERSION[service / 5 % 5]),
                unless(noTls, Vocabulary.SNI[service + SERVICES * Mix.SNI.of(profile, 8)]),
                unless(Mix.TLS_EMPTY.within(profile, 90), Vocabulary.ALPN[service / 20 % 20]),
                unless(Mix.CONTENT_TYPE_EMPTY.within(profile, 45), Vocabulary.CONTENT_TYPE[service / 7 % 30]),
                100 + service / 9 % 60,
                Vocabulary.APN[service / 2 % 150]);
    }

    private static Probe.Session session(int profile) {
        int session = Mix.SESSION.of(profile, SESSIONS);
        Integer releaseCause = 1 + session / 5 % 60;
        return new Probe.Session(
                1 + session / 683,
                QCI_5QI[session / 2 % 14],
                1 + session % 15,
                1 + session % 4,
                Vocabulary.SLICE_SD[session / 4 % 8],
                Vocabulary.DIRECTION[session / 32 % 3],
                session / 3 % 22,
                Mix.RELEASE_CAUSE_EMPTY.within(profile, 70) ? null : releaseCause,
                unless(Mix.HANDOVER_EMPTY.within(profile, 80), Vocabulary.HANDOVER_TYPE[session / 6 % 5]),
                unless(Mix.CODEC_EMPTY.within(profile, 95), Vocabulary.CODEC[session / 7 % 9]));
    }

    private static @Nullable String unless(boolean empty, String value) {
        return empty ? null : value;
    }

    /** A table in which {@code i} stands {@code shares[i]} times. */
    private static byte[] spread(int[] shares) {
        int length = 0;
        for (int share : shares) {
            length += share;
        }
        byte[] table = new byte[length];
        int at = 0;
        for (int i = 0; i < shares.length; i++) {
            for (int n = 0; n < shares[i]; n++) {
                table[at++] = (byte) i;
            }
        }
        return table;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

/** The texts of the dimensions, each made once and shared by all records. ASCII, without quotes, commas or spaces. */
final class Vocabulary {
    static final String[] SITE = numbered("site-", 20_000);
    static final String[] CITY = numbered("city-", 900);
    static final String[] PROVINCE = numbered("prov-", 60);
    static final String[] REGION =
            words("north north-east east south-east south south-west west north-west centre capital coast islands");
    static final String[] RAN_VENDOR = numbered("ran-", 4);
    static final String[] RAT = words("LTE NR UMTS GSM NB-IoT");
    static final String[][] BAND_OF_RAT = {
        words("B1 B3 B7 B8 B20 B28"), words("n1 n28 n78"), words("U1"), words("G900"), words("NB20")
    };
    static final String[] MME_AMF = numbered("mme-", 12);
    static final String[] SGW = numbered("sgw-", 24);
    static final String[] UPF = numbered("upf-", 16);
    static final String[] PROBE_ID = numbered("probe-", 48);
    static final String[] CELL_CLASS = words("macro micro pico indoor");

    static final String[] MODEL = numbered("model-", 8_000);
    static final String[] DEVICE_VENDOR = numbered("vendor-", 180);
    static final String[] OS = words("Android iOS HarmonyOS KaiOS Windows Linux RTOS Tizen other");
    static final String[] OS_VERSION = numbered("v", 120);
    static final String[] DEVICE_TYPE = words("smartphone feature-phone tablet modem wearable sensor vehicle");
    static final String[] SIM_TYPE = words("SIM eSIM");
    static final String[] RELEASE = words("Rel-10 Rel-11 Rel-12 Rel-13 Rel-14 Rel-15 Rel-16 Rel-17");

    static final String[] PLAN = numbered("plan-", 90);
    static final String[] SEGMENT = words("consumer youth family premium small-business enterprise");
    static final String[] MVNO = numbered("mvno-", 14);
    static final String[] ROAMING_TYPE = words("home roam-like-home surcharged permanent");
    static final String[] AGE_BAND = words("0-17 18-24 25-34 35-44 45-54 55-64 65-74 75+");
    static final String[] CORPORATE_ID = numbered("corp-", 3_000);
    static final String[] IMSI_PREFIX = numbered("imsi-", 60);

    static final String[] APP = numbered("app-", 2_500);
    static final String[] APP_CATEGORY = words(
            "streaming social web messaging gaming music maps mail cloud shopping banking news sports travel health"
                    + " education photo dating food ads analytics update backup vpn voip video-call iot automotive smart-home"
                    + " payments government weather reading work system");
    static final String[] L7_PROTO = started(words("TLS QUIC DNS HTTP MDNS STUN ICMP NTP SIP SSH"), "proto-", 250);
    static final String[] CDN = numbered("cdn-", 20);
    static final String[] SERVER_COUNTRY =
            words("US IE DE NL GB FR SE FI NO DK IT ES PT CH AT BE LU PL CZ SK HU RO BG GR HR SI EE LV LT UA"
                    + " TR IL AE SA QA KW BH OM JO EG MA TN DZ LY NG GH KE TZ UG RW ET ZA ZM ZW BW NA MZ AO SN CI"
                    + " CM CD CA MX BR AR CL PE CO VE EC UY PY BO CR PA GT HN SV NI CU DO JM TT BS BB AU NZ FJ PG"
                    + " JP KR CN TW HK MO SG MY TH VN PH ID IN PK BD LK NP MM KH LA MN KZ UZ KG TJ TM AZ GE AM RS");
    static final String[] TLS_VERSION = words("TLSv1.3 TLSv1.2 TLSv1.1 TLSv1.0 DTLSv1.2");
    static final String[] SNI = hosts(20_000);
    static final String[] ALPN = started(words("h2 http/1.1 h3"), "alpn-", 20);
    static final String[] CONTENT_TYPE =
            started(words("text/html application/json image/jpeg video/mp4 audio/mp4"), "type-", 30);
    static final String[] APN = started(words("internet ims mms"), "apn-", 150);

    static final String[] SLICE_SD = numbered("sd-", 8);
    static final String[] DIRECTION = words("uplink downlink both");
    static final String[] HANDOVER_TYPE = words("intra-cell inter-cell inter-node inter-rat fallback");
    static final String[] CODEC = words("AMR AMR-WB EVS-NB EVS-WB EVS-SWB G711 OPUS H264 H265");

    private Vocabulary() {}

    private static String[] words(String text) {
        return text.split(" ");
    }

    private static String[] numbered(String prefix, int count) {
        return started(new String[0], prefix, count);
    }

    /** Real words first, then the prefix and a number with as many digits as the last one needs. */
    private static String[] started(String[] first, String prefix, int count) {
        int digits = String.valueOf(count - 1).length();
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            texts[i] = i < first.length ? first[i] : prefix + padded(i, digits);
        }
        return texts;
    }

    private static String[] hosts(int count) {
        String[] texts = numbered("s", count);
        for (int i = 0; i < count; i++) {
            texts[i] = texts[i] + ".example.net";
        }
        return texts;
    }

    private static String padded(int number, int digits) {
        String text = String.valueOf(number);
        return "0".repeat(digits - text.length()) + text;
    }
}

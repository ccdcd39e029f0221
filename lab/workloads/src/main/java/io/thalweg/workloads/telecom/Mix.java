// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

/**
 * The hashes that tell profiles apart: {@code (g + 1) * prime mod (2^61 - 1)}. Each prime is the first one from
 * {@code frac(sqrt(p)) * 2^61} on, for p = 2, 3, 5, 7, 11 ...: numbers that nobody picked and that have nothing to do with
 * each other. Part of what the workload is: changing one changes every expected result.
 */
enum Mix {
    // the five roots
    CELL(955_111_447_119_501_649L),
    DEVICE(1_687_994_237_021_934_997L),
    SUBSCRIBER(544_335_695_617_105_703L),
    SERVICE(1_489_001_146_308_863_723L),
    SESSION(730_087_059_384_750_257L),

    // which of the optional dimensions are empty; the three of TLS go together
    MVNO_EMPTY(1_396_306_175_249_075_633L),
    AGE_BAND_EMPTY(283_862_246_225_360_861L),
    CORPORATE_EMPTY(827_564_619_977_442_359L),
    CDN_EMPTY(1_835_062_554_542_519_329L),
    TLS_EMPTY(888_129_577_926_236_843L),
    CONTENT_TYPE_EMPTY(1_309_175_486_912_273_317L),
    RELEASE_CAUSE_EMPTY(190_837_401_912_986_407L),
    HANDOVER_EMPTY(929_541_204_729_135_487L),
    CODEC_EMPTY(1_285_365_724_328_166_077L),

    // dimensions with more values than their root
    ASN(1_973_005_178_636_284_409L),
    SNI(645_889_430_009_104_991L),

    // measures, and the tails of those that have a heavy one
    BYTES_UP(1_570_615_160_978_463_563L),
    BYTES_UP_TAIL(1_868_308_550_907_020_237L),
    BYTES_DOWN(427_394_393_260_469_377L),
    BYTES_DOWN_TAIL(982_634_475_356_707_949L),
    PKTS_UP(1_254_387_233_126_496_059L),
    PKTS_UP_TAIL(2_048_036_887_989_780_917L),
    PKTS_DOWN(254_642_496_452_328_779L),
    PKTS_DOWN_TAIL(1_000_692_359_483_364_973L),
    DURATION(1_957_332_828_088_051_541L),
    DURATION_TAIL(115_005_352_291_795_709L),
    RETRANS(343_320_574_498_779_947L),
    RETRANS_TAIL(793_395_460_552_816_687L),
    DNS(1_015_277_685_482_679_191L),
    DNS_TAIL(1_453_017_317_079_472_939L),
    TCP(621_257_908_400_490_437L),
    TCP_TAIL(1_027_306_423_022_209_907L),
    RTT(1_624_927_362_726_361_849L),
    JITTER(1_821_215_043_179_955_953L),
    MOS(476_284_822_553_389_049L),
    RSRP(664_557_161_843_265_091L),
    SINR(1_222_013_983_164_088_627L),
    VOLUME_CHARGED(1_768_916_707_308_021_119L),
    COST(2_127_942_570_905_574_727L);

    private static final long MODULUS = (1L << 61) - 1;

    final long prime;

    Mix(long prime) {
        this.prime = prime;
    }

    /** From 0 to 2^61 - 2. */
    long of(int profile) {
        long factor = profile + 1L;
        long high = Math.multiplyHigh(factor, prime);
        long low = factor * prime;
        long sum = ((high << 3) | (low >>> 61)) + (low & MODULUS); // 2^61 = 1 (mod 2^61 - 1)
        return sum >= MODULUS ? sum - MODULUS : sum;
    }

    int of(int profile, int cardinality) {
        return (int) (of(profile) % cardinality);
    }

    /** True for {@code percent} of the profiles. */
    boolean within(int profile, int percent) {
        return of(profile, 100) < percent;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Every field of a record, so that a reader cannot leave one out: letters of texts, whole numbers, real numbers and truths added
 * up each. A null counts as nothing.
 */
public record ProbeTotals(long chars, long wholes, double reals, long truths) {
    public static ProbeTotals of(Probe probe) {
        Probe.Cell c = probe.cell();
        Probe.Device d = probe.device();
        Probe.Subscriber s = probe.subscriber();
        Probe.Service v = probe.service();
        Probe.Session t = probe.session();
        Probe.Measures m = probe.measures();
        long chars = 0;
        chars += chars(c.cellId()) + chars(c.site()) + chars(c.city()) + chars(c.province()) + chars(c.region());
        chars += chars(c.ranVendor()) + chars(c.rat()) + chars(c.band()) + chars(c.mmeAmf()) + chars(c.sgw());
        chars += chars(c.upf()) + chars(c.probeId()) + chars(c.cellClass());
        chars += chars(d.model()) + chars(d.vendor()) + chars(d.os()) + chars(d.osVersion()) + chars(d.deviceType());
        chars += chars(d.simType()) + chars(d.release());
        chars += chars(s.plan()) + chars(s.segment()) + chars(s.mvno()) + chars(s.roamingType()) + chars(s.ageBand());
        chars += chars(s.corporateId()) + chars(s.imsiPrefix());
        chars += chars(v.app()) + chars(v.appCategory()) + chars(v.l7Proto()) + chars(v.cdn());
        chars += chars(v.serverCountry()) + chars(v.tlsVersion()) + chars(v.sni()) + chars(v.alpn());
        chars += chars(v.contentType()) + chars(v.apn());
        chars += chars(t.sliceSd()) + chars(t.direction()) + chars(t.handoverType()) + chars(t.codec());
        long wholes = probe.time() + c.sector() + c.tac() + c.earfcn() + d.deviceTac();
        wholes += s.imsiBucket() + (long) s.homeMcc() + s.homeMnc();
        wholes += v.l4Proto() + (long) v.serverPort() + v.asn() + v.ipVersion() + v.ratingGroup();
        wholes += t.recordType() + (long) t.qci5qi() + t.arp() + t.sliceSst() + t.causeClose();
        wholes += t.releaseCause() == null ? 0 : t.releaseCause();
        wholes += m.records() + m.bytesUp() + m.bytesDown() + m.pktsUp() + m.pktsDown() + m.durationMs();
        wholes += m.retrans() + m.dnsMs() + m.tcpMs() + m.drops() + m.handovers() + m.setupFail();
        wholes += m.rsrp() + (long) m.sinr() + (m.volumeCharged() == null ? 0 : m.volumeCharged());
        double reals = m.rtt() + m.jitter() + m.mos() + real(m.cost()) + (m.sparse() == null ? 0 : m.sparse());
        long truths = (d.nrCapable() ? 1L : 0) + (d.volte() ? 1 : 0) + (s.prepaid() ? 1 : 0);
        return new ProbeTotals(chars, wholes, reals, truths);
    }

    private static long chars(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static double real(@Nullable BigDecimal value) {
        return value == null ? 0 : value.doubleValue();
    }
}

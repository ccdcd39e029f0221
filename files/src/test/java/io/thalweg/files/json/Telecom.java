// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.SplittableRandom;

/** A record like a telecom probe's: 62 dimensions in five groups and 20 measures, about 1.9 kB as JSON. */
record Telecom(
        long time,
        Cell cell,
        Device device,
        Subscriber subscriber,
        Service service,
        Session session,
        Measures measures) {

    record Cell(
            String cell_id,
            String site,
            int sector,
            int tac,
            String city,
            String province,
            String region,
            String ran_vendor,
            String rat,
            String band,
            int earfcn,
            String mme_amf,
            String sgw,
            String upf,
            String probe_id,
            String cell_class) {}

    record Device(
            int device_tac,
            String model,
            String vendor,
            String os,
            String os_version,
            String device_type,
            boolean nr_capable,
            boolean volte,
            String sim_type,
            String release) {}

    record Subscriber(
            int imsi_bucket,
            String plan,
            String segment,
            boolean prepaid,
            String mvno,
            int home_mcc,
            int home_mnc,
            String roaming_type,
            String age_band,
            String corporate_id,
            String imsi_prefix) {}

    record Service(
            String app,
            String app_category,
            String l7_proto,
            int l4_proto,
            int server_port,
            int asn,
            String cdn,
            String server_country,
            int ip_version,
            String tls_version,
            String sni,
            String alpn,
            String content_type,
            int rating_group,
            String apn) {}

    record Session(
            int record_type,
            int qci_5qi,
            int arp,
            int slice_sst,
            String slice_sd,
            String direction,
            int cause_close,
            Integer release_cause,
            String handover_type,
            String codec) {}

    record Measures(
            int records,
            long bytes_up,
            long bytes_down,
            long pkts_up,
            long pkts_down,
            long duration_ms,
            long retrans,
            long dns_ms,
            long tcp_ms,
            int drops,
            int handovers,
            int setup_fail,
            double rtt,
            double jitter,
            double mos,
            int rsrp,
            int sinr,
            Long volume_charged,
            BigDecimal cost,
            Double sparse) {}

    static String json(long i, boolean spaces) {
        StringBuilder json = new StringBuilder("{\"time\":").append(1735689600000L + i);
        SplittableRandom random = new SplittableRandom(i);
        for (Class<?> group :
                new Class<?>[] {Cell.class, Device.class, Subscriber.class, Service.class, Session.class, Measures.class
                }) {
            json.append(",\"")
                    .append(group.getSimpleName().toLowerCase(Locale.ROOT))
                    .append("\":{");
            String separator = "";
            for (var component : group.getRecordComponents()) {
                json.append(separator).append('"').append(component.getName()).append("\":");
                value(json, component.getName(), component.getType(), random);
                separator = ",";
            }
            json.append('}');
        }
        String text = json.append('}').toString();
        return spaces ? text.replace(",", ", ").replace(":", ": ") : text;
    }

    private static void value(StringBuilder json, String name, Class<?> type, SplittableRandom random) {
        if (type == String.class) {
            int cardinality = name.endsWith("_id") ? 60_000 : name.equals("sni") || name.equals("site") ? 20_000 : 400;
            if (cardinality == 400 && random.nextInt(100) < 20) {
                json.append("null");
            } else {
                // the product of two draws is skewed as real values are
                int value = (int) ((long) random.nextInt(cardinality) * random.nextInt(cardinality) / cardinality);
                json.append('"').append(name).append('-').append(value).append('"');
            }
        } else if (type == boolean.class) {
            json.append(random.nextBoolean());
        } else if (type == int.class || type == Integer.class) {
            json.append(random.nextInt(name.startsWith("rs") ? -140 : 0, 1 << random.nextInt(1, 20)));
        } else if (type == long.class || type == Long.class) {
            json.append(random.nextLong(1L << random.nextInt(1, 32)));
        } else if (type == double.class || type == Double.class) {
            json.append(random.nextInt(4000) / 8.0);
        } else {
            json.append(random.nextInt(100_000)).append('.').append(1000 + random.nextInt(9000));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Not a test: records/s of one thread, by {@code java … TelecomSpeed [plain|generated] [spaces]}. */
final class TelecomSpeed {
    public static void main(String[] arguments) throws Exception {
        boolean plain = arguments.length > 0 && arguments[0].equals("plain");
        boolean spaces = arguments.length > 1 && arguments[1].equals("spaces");
        int n = 20_000;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int[] ends = new int[n + 1];
        for (int i = 0; i < n; i++) {
            all.write(Telecom.json(i, spaces).getBytes(StandardCharsets.UTF_8));
            ends[i + 1] = all.size();
        }
        byte[] bytes = all.toByteArray();
        System.out.println("bytes a record " + bytes.length / n);
        JsonReader<Telecom> reader =
                plain ? JsonReader.plain(Telecom.class, 64) : JsonReader.generated(Telecom.class, 64);
        long sum = 0;
        for (int round = 0; round < Integer.getInteger("rounds", 30); round++) {
            long begin = System.nanoTime();
            for (int i = 0; i < n; i++) {
                Telecom record = reader.read(bytes, ends[i], ends[i + 1]);
                sum += record.measures().bytes_up()
                        + record.cell().tac()
                        + (record.service().app() == null ? 0 : 1);
            }
            long took = System.nanoTime() - begin;
            if (round % 5 == 4) {
                System.out.printf(
                        "%d: %.0f records/s %.0f MB/s (%d)%n", round, n * 1e9 / took, bytes.length * 1e3 / took, sum);
            }
        }
    }
}

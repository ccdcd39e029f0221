// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Calls of {@code LocalCluster.submitTopology} as they were compiled for Storm 1, where it returned nothing. Two methods that differ only
 * in what they return cannot be written in Java, so such a call is led to another name.
 */
final class OldCalls {
    /** The name that they are led to. */
    static final String NEW_NAME = "submitTopologyOfStorm1";

    private static final String CLUSTER = "org/apache/storm/LocalCluster";
    private static final String OLD_NAME = "submitTopology";
    private static final String OLD_TYPE =
            "(Ljava/lang/String;Ljava/util/Map;Lorg/apache/storm/generated/StormTopology;)V";

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;

    /** Magic number, version, and how many constants there are. */
    private static final int HEAD = 10;

    /** A constant of a class file: where it begins, and what it refers to. */
    private record Constant(int at, int tag, String text, int first, int second) {
        static final Constant NONE = new Constant(0, 0, "", 0, 0);
    }

    private OldCalls() {}

    /**
     * A class with these calls led elsewhere; the same bytes if it has none.
     *
     * @throws IOException if it is no class
     */
    static byte[] led(byte[] type) throws IOException {
        if (!new String(type, StandardCharsets.ISO_8859_1).contains(CLUSTER)) {
            return type;
        }
        List<Constant> pool = new ArrayList<>(List.of(Constant.NONE));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(type, HEAD - 2, type.length - HEAD + 2));
        int count = in.readUnsignedShort();
        while (pool.size() < count) {
            Constant read = read(in, type.length - in.available());
            pool.add(read);
            if (read.tag() == LONG || read.tag() == DOUBLE) {
                pool.add(Constant.NONE);
            }
        }
        int end = type.length - in.available();
        List<Constant> calls = pool.stream().filter(each -> isOld(each, pool)).toList();
        return calls.isEmpty() ? type : led(type, calls, pool, end);
    }

    private static Constant read(DataInputStream in, int at) throws IOException {
        int tag = in.readUnsignedByte();
        switch (tag) {
            case UTF8 -> {
                return new Constant(at, tag, in.readUTF(), 0, 0);
            }
            case LONG, DOUBLE -> {
                in.skipNBytes(8);
                return new Constant(at, tag, "", 0, 0);
            }
            case CLASS, 8, 16, 19, 20 -> { // texts, types of methods, modules and packages too
                return new Constant(at, tag, "", in.readUnsignedShort(), 0);
            }
            case 15 -> { // a handle of a method
                in.skipNBytes(3);
                return new Constant(at, tag, "", 0, 0);
            }
            case 3,
                    4,
                    9,
                    METHOD,
                    11,
                    NAME_AND_TYPE,
                    17,
                    18 -> { // numbers, fields and what is made when it is called, too
                return new Constant(at, tag, "", in.readUnsignedShort(), in.readUnsignedShort());
            }
            default -> throw new IOException("the class has a constant of unknown kind " + tag);
        }
    }

    private static boolean isOld(Constant call, List<Constant> pool) {
        if (call.tag() != METHOD
                || !pool.get(pool.get(call.first()).first()).text().equals(CLUSTER)) {
            return false;
        }
        Constant named = pool.get(call.second());
        return pool.get(named.first()).text().equals(OLD_NAME)
                && pool.get(named.second()).text().equals(OLD_TYPE);
    }

    /** Two constants more, behind the others: the new name, and the name with its type, which {@code StormSubmitter}'s calls share no more. */
    private static byte[] led(byte[] type, List<Constant> calls, List<Constant> pool, int end) throws IOException {
        byte[] head = Arrays.copyOf(type, end);
        int added = pool.size();
        for (Constant call : calls) {
            put(head, call.at() + 3, added + 1);
        }
        put(head, HEAD - 2, added + 2);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(type.length + 64);
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(head);
        out.writeByte(UTF8);
        out.writeUTF(NEW_NAME);
        out.writeByte(NAME_AND_TYPE);
        out.writeShort(added);
        out.writeShort(pool.get(calls.get(0).second()).second());
        out.write(type, end, type.length - end);
        return bytes.toByteArray();
    }

    private static void put(byte[] bytes, int at, int number) {
        bytes[at] = (byte) (number >> 8);
        bytes[at + 1] = (byte) number;
    }
}

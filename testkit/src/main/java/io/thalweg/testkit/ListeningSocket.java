// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A socket that others can connect or send to: TCP that listens, or UDP that is bound. For tests that nothing is
 * reachable from other machines.
 *
 * @param process id of the process
 * @param protocol as the kernel names its table: {@code tcp}, {@code tcp6}, {@code udp} or {@code udp6}
 * @param address that it is bound to
 * @param port number of the port
 */
public record ListeningSocket(long process, String protocol, InetAddress address, int port) {
    private static final List<String> TABLES = List.of("tcp", "tcp6", "udp", "udp6");
    private static final String TCP_LISTENS = "0A";
    private static final String UDP_WITHOUT_PEER = "07";
    private static final int BYTES_A_WORD = 4;

    /** Whether sockets can be listed on this system: on Linux. */
    public static boolean canBeListed() {
        return Files.isReadable(Path.of("/proc/net/tcp"));
    }

    /** The sockets of this JVM and of all its child processes that are reachable on other interfaces than loopback. */
    public static List<ListeningSocket> beyondLoopback() {
        ProcessHandle own = ProcessHandle.current();
        return Stream.concat(Stream.of(own), own.descendants())
                .flatMap(process -> of(process).stream())
                .filter(socket -> !socket.address().isLoopbackAddress())
                .toList();
    }

    /** The sockets of one process; none if it has ended. */
    public static List<ListeningSocket> of(ProcessHandle process) {
        Path folder = Path.of("/proc", Long.toString(process.pid()));
        List<ListeningSocket> found = new ArrayList<>();
        try {
            Set<String> own = inodes(folder.resolve("fd"));
            for (String table : TABLES) {
                Path file = folder.resolve("net").resolve(table);
                if (!own.isEmpty() && Files.exists(file)) {
                    for (String line : Files.readAllLines(file)) {
                        String[] fields = line.strip().split("\\s+", -1);
                        String state = table.startsWith("tcp") ? TCP_LISTENS : UDP_WITHOUT_PEER;
                        if (fields[3].equals(state) && own.contains(fields[9])) {
                            found.add(read(process.pid(), table, fields[1]));
                        }
                    }
                }
            }
        } catch (IOException e) {
            return found; // the process has just ended
        }
        return found;
    }

    private static Set<String> inodes(Path descriptors) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path descriptor : all) {
                String target = target(descriptor);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    /** @param local address and port in hexadecimal, the address in words of this machine's byte order, as {@code 0100007F:1F90} */
    private static ListeningSocket read(long process, String table, String local) throws IOException {
        String[] parts = local.split(":", -1);
        byte[] words = HexFormat.of().parseHex(parts[0]);
        byte[] address = new byte[words.length];
        boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        for (int i = 0; i < words.length; i++) {
            int inWord = i % BYTES_A_WORD;
            address[i] = little ? words[i - inWord + BYTES_A_WORD - 1 - inWord] : words[i];
        }
        return new ListeningSocket(process, table, InetAddress.getByAddress(address), Integer.parseInt(parts[1], 16));
    }
}

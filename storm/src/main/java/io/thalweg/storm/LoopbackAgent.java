// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Objects;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A Java agent in each JVM of a trial cluster. Storm's servers listen on every interface and have no setting for that,
 * so the agent replaces {@code new InetSocketAddress(port)} with {@code new InetSocketAddress("127.0.0.1", port)}. The
 * path of tuples is not changed. It also ends the JVM when the main process ends, because Storm's workers outlive their
 * supervisor.
 */
public final class LoopbackAgent implements ClassFileTransformer {
    /** Where Storm binds: Netty between workers, Thrift, and the ZooKeeper of a LocalCluster. */
    private static final Set<String> SERVERS = Set.of(
            "org/apache/storm/messaging/netty/Server",
            "org/apache/storm/thrift/transport/TServerTransport$AbstractServerTransportArgs",
            "org/apache/storm/zookeeper/Zookeeper");

    private static final String ADDRESS = Type.getInternalName(InetSocketAddress.class);

    private LoopbackAgent() {}

    /**
     * @param driver process id of the main process
     */
    public static void premain(String driver, Instrumentation instrumentation) {
        ProcessHandle.of(Long.parseLong(driver))
                .ifPresentOrElse(
                        LoopbackAgent::endWith, () -> Runtime.getRuntime().halt(3));
        instrumentation.addTransformer(new LoopbackAgent());
    }

    private static void endWith(ProcessHandle driver) {
        Thread thread = new Thread(
                () -> {
                    driver.onExit().join();
                    Runtime.getRuntime().halt(3);
                },
                "ends with the driver");
        thread.setDaemon(true);
        thread.start();
    }

    /** Packs this class as an agent, whole: topologies that were written for Storm do not bring classes of Thalweg with them. */
    public static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", LoopbackAgent.class.getName());
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (Class<?> part : LoopbackAgent.class.getNestMembers()) {
                String entry = Type.getInternalName(part) + ".class";
                out.putNextEntry(new JarEntry(entry));
                try (InputStream in = Objects.requireNonNull(LoopbackAgent.class.getResourceAsStream("/" + entry))) {
                    in.transferTo(out);
                }
            }
        }
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (!SERVERS.contains(name)) {
            return null;
        }
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new BindToLoopback(writer), 0);
        return writer.toByteArray();
    }

    private static final class BindToLoopback extends ClassVisitor {
        BindToLoopback(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String method, String methodDescriptor, boolean isInterface) {
                    if (owner.equals(ADDRESS) && method.equals("<init>") && methodDescriptor.equals("(I)V")) {
                        super.visitLdcInsn("127.0.0.1");
                        super.visitInsn(Opcodes.SWAP);
                        super.visitMethodInsn(opcode, owner, method, "(Ljava/lang/String;I)V", isInterface);
                    } else {
                        super.visitMethodInsn(opcode, owner, method, methodDescriptor, isInterface);
                    }
                }
            };
        }
    }
}

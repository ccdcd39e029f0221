// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Calls of {@code LocalCluster.submitTopology} as they were compiled for Storm 1, where it returned nothing. Two methods that differ only
 * in what they return cannot be written in Java, so such a call is led to another name.
 */
final class OldCalls extends ClassVisitor {
    /** The name that they are led to. */
    private static final String NEW_NAME = "submitTopologyOfStorm1";

    private static final String CLUSTER = "org/apache/storm/LocalCluster";
    private static final String OLD_NAME = "submitTopology";
    private static final String OLD_TYPE =
            "(Ljava/lang/String;Ljava/util/Map;Lorg/apache/storm/generated/StormTopology;)V";

    private boolean found;

    private OldCalls(ClassWriter writer) {
        super(Opcodes.ASM9, writer);
    }

    /** A class with these calls led elsewhere; null if it has none. */
    static byte @Nullable [] led(byte[] type) {
        if (!new String(type, StandardCharsets.ISO_8859_1).contains(CLUSTER)) {
            return null;
        }
        ClassReader reader = new ClassReader(type);
        ClassWriter writer = new ClassWriter(reader, 0);
        OldCalls calls = new OldCalls(writer);
        reader.accept(calls, 0);
        return calls.found ? writer.toByteArray() : null;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String type, @Nullable String generic, String @Nullable [] thrown) {
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, type, generic, thrown)) {
            @Override
            public void visitMethodInsn(int call, String owner, String called, String of, boolean ofInterface) {
                boolean old = owner.equals(CLUSTER) && called.equals(OLD_NAME) && of.equals(OLD_TYPE);
                found |= old;
                super.visitMethodInsn(call, owner, old ? NEW_NAME : called, of, ofInterface);
            }
        };
    }
}

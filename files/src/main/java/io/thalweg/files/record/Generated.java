// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import static org.objectweb.asm.Opcodes.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/** A hidden class that is made at run time. What differs between such classes stands in static final fields: constants to the JIT. */
public final class Generated {
    private final String name;
    private final List<Object> constants = new ArrayList<>();
    private final List<String> descriptors = new ArrayList<>();

    private final ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
        @Override
        protected String getCommonSuperClass(String one, String other) {
            return "java/lang/Object";
        }
    };

    /** @param name internal, in the package of the lookup that will define it */
    public Generated(String name) {
        this.name = name;
    }

    /** Where the members of the class are added, until {@link #define} is called. */
    public ClassWriter type() {
        return type;
    }

    /** Puts a constant on the stack. */
    public void constant(MethodVisitor code, Object value, Class<?> as) {
        constants.add(value);
        descriptors.add(Type.getDescriptor(as));
        code.visitFieldInsn(GETSTATIC, name, "CONSTANT_" + (constants.size() - 1), Type.getDescriptor(as));
    }

    /** Ends the class; returns its constructor of this type. */
    public MethodHandle define(MethodHandles.Lookup lookup, MethodType constructor) {
        constantFields();
        type.visitEnd();
        try {
            MethodHandles.Lookup hidden = lookup.defineHiddenClassWithClassData(type.toByteArray(), constants, true);
            return hidden.findConstructor(hidden.lookupClass(), constructor);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void constantFields() {
        MethodVisitor code = type.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
        code.visitCode();
        code.visitMethodInsn(
                INVOKESTATIC,
                "java/lang/invoke/MethodHandles",
                "lookup",
                "()Ljava/lang/invoke/MethodHandles$Lookup;",
                false);
        code.visitLdcInsn("_");
        code.visitLdcInsn(Type.getType(List.class));
        code.visitMethodInsn(
                INVOKESTATIC,
                "java/lang/invoke/MethodHandles",
                "classData",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;",
                false);
        code.visitTypeInsn(CHECKCAST, "java/util/List");
        for (int i = 0; i < constants.size(); i++) {
            String descriptor = descriptors.get(i);
            type.visitField(ACC_PRIVATE | ACC_STATIC | ACC_FINAL, "CONSTANT_" + i, descriptor, null, null);
            code.visitInsn(DUP);
            code.visitIntInsn(SIPUSH, i);
            code.visitMethodInsn(INVOKEINTERFACE, "java/util/List", "get", "(I)Ljava/lang/Object;", true);
            code.visitTypeInsn(CHECKCAST, Type.getType(descriptor).getInternalName());
            code.visitFieldInsn(PUTSTATIC, name, "CONSTANT_" + i, descriptor);
        }
        code.visitInsn(POP);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }
}

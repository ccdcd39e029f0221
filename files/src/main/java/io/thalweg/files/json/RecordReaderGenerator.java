// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import static org.objectweb.asm.Opcodes.*;

import io.thalweg.files.record.Generated;
import io.thalweg.files.record.RecordShape;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Makes a class that reads one class of records. Each field has a piece of code that reads its value into a local
 * variable, then looks whether the name that follows is that of the next component; if so, it runs into the next piece.
 * If not, the name is looked up and a switch jumps to its piece:
 *
 * <pre>
 *       if (in.nextIsNull()) return null;
 *       in.openObject();
 *       index = in.firstIs(name 0) ? 0 : in.firstField(names);
 *       goto jump;
 *     look up:
 *       index = in.nextField(names, expected);
 *     jump:
 *       switch (index) { 0: field 0; 1: field 1; … END: done }
 *     field 0:
 *       value0 = JsonNumber.readLong(in); seen |= 1;
 *       if (!in.nextIs(name 1)) { expected = 1; goto look up; }
 *     field 1:
 *       …
 *     done:
 *       if (seen != all || value1 == null) { in.position = begin; return plain.read(in); } // says what is missing
 *       return constructor.invokeExact(value0, value1, …);
 * </pre>
 *
 * The loop is entered at the switch alone: one with two entries is beyond the JIT's first stage, and the class would be
 * interpreted for long.
 *
 * <p>What differs between classes stands in static final fields, which the JIT takes for constants. The constructor is called
 * through a method handle, so that the record may be private or come from a class loader that knows nothing of us.
 */
final class RecordReaderGenerator {
    /** The JVM compiles no method above 8,000 bytes; a component takes about 50. */
    private static final int MAX_COMPONENTS = 150;

    private static final String NAME = Type.getInternalName(RecordReaderGenerator.class) + "$Generated";
    private static final String INPUT = Type.getInternalName(JsonInput.class);
    private static final String VALUE = Type.getInternalName(ValueReader.class);
    private static final String NAMES = Type.getDescriptor(FieldNames.class);
    private static final String OBJECT = Type.getDescriptor(Object.class);

    private static final int IN = 1;
    private static final int INDEX = 2;
    private static final int EXPECTED = 3;
    /** Where the object begins. */
    private static final int BEGIN = 4;
    /** Bits of the primitive components that were read. */
    private static final int SEEN = 5;

    private final RecordShape<?> shape;
    private final FieldNames names;
    private final List<ValueReader> values;
    private final Generated generated = new Generated(NAME);
    private final ClassWriter type = generated.type();
    private final int[] locals;
    private final int[] seenBits;
    private int seenWords;
    private long seenInLast;

    private RecordReaderGenerator(RecordShape<?> shape, FieldNames names, List<ValueReader> values) {
        this.shape = shape;
        this.names = names;
        this.values = values;
        this.locals = new int[shape.size()];
        this.seenBits = new int[shape.size()];
    }

    static boolean canMake(RecordShape<?> shape) {
        return shape.size() > 0 && shape.size() <= MAX_COMPONENTS;
    }

    static ValueReader make(RecordShape<?> shape, FieldNames names, List<ValueReader> values) {
        return new RecordReaderGenerator(shape, names, values).define();
    }

    private ValueReader define() {
        try {
            MethodHandle constructor = MethodHandles.lookup().unreflectConstructor(shape.constructor());
            MethodType erased = constructor.type().erase();
            type.visit(V17, ACC_FINAL | ACC_SUPER, NAME, null, "java/lang/Object", new String[] {VALUE});
            emptyConstructor();
            read(constructor.asType(erased));
            return (ValueReader) generated
                    .define(MethodHandles.lookup(), MethodType.methodType(void.class))
                    .invoke();
        } catch (Throwable e) {
            throw new IllegalStateException("no reader can be made for " + shape, e);
        }
    }

    private void emptyConstructor() {
        MethodVisitor code = type.visitMethod(0, "<init>", "()V", null, null);
        code.visitCode();
        code.visitVarInsn(ALOAD, 0);
        code.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private void read(MethodHandle constructor) {
        MethodVisitor code = type.visitMethod(ACC_PUBLIC, "read", "(L" + INPUT + ";)" + OBJECT, null, null);
        code.visitCode();
        prologue(code);
        Label lookUp = new Label();
        Label jump = new Label();
        Label done = new Label();
        Label[] fields = new Label[shape.size()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = new Label();
        }
        code.visitInsn(ICONST_0);
        code.visitVarInsn(ISTORE, INDEX);
        foreseen(code, 0, "firstIs");
        code.visitJumpInsn(IFNE, jump);
        code.visitVarInsn(ALOAD, IN);
        generated.constant(code, names, FieldNames.class);
        code.visitMethodInsn(INVOKEVIRTUAL, INPUT, "firstField", "(" + NAMES + ")I", false);
        code.visitVarInsn(ISTORE, INDEX);
        code.visitJumpInsn(GOTO, jump);

        code.visitLabel(lookUp);
        code.visitVarInsn(ALOAD, IN);
        generated.constant(code, names, FieldNames.class);
        code.visitVarInsn(ILOAD, EXPECTED);
        code.visitMethodInsn(INVOKEVIRTUAL, INPUT, "nextField", "(" + NAMES + "I)I", false);
        code.visitVarInsn(ISTORE, INDEX);
        code.visitLabel(jump);
        code.visitVarInsn(ILOAD, INDEX);
        code.visitTableSwitchInsn(0, fields.length - 1, done, fields);
        for (int i = 0; i < fields.length; i++) {
            code.visitLabel(fields[i]);
            field(code, i, lookUp, done);
        }
        code.visitLabel(done);
        complete(code);
        construct(code, constructor);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** Gives every local variable a place and a first value. */
    private void prologue(MethodVisitor code) {
        Label present = new Label();
        code.visitVarInsn(ALOAD, IN);
        code.visitMethodInsn(INVOKEVIRTUAL, INPUT, "nextIsNull", "()Z", false);
        code.visitJumpInsn(IFEQ, present);
        code.visitInsn(ACONST_NULL);
        code.visitInsn(ARETURN);
        code.visitLabel(present);
        code.visitVarInsn(ALOAD, IN);
        code.visitFieldInsn(GETFIELD, INPUT, "position", "I");
        code.visitVarInsn(ISTORE, BEGIN);
        code.visitVarInsn(ALOAD, IN);
        code.visitMethodInsn(INVOKEVIRTUAL, INPUT, "openObject", "()V", false);
        code.visitInsn(ICONST_0);
        code.visitVarInsn(ISTORE, EXPECTED);

        int primitives = 0;
        for (int i = 0; i < locals.length; i++) {
            seenBits[i] = shape.raw(i).isPrimitive() ? primitives++ : -1;
        }
        seenWords = (primitives + Long.SIZE - 1) / Long.SIZE;
        seenInLast = -1L >>> (Long.SIZE - 1 - (primitives + Long.SIZE - 1) % Long.SIZE);
        int next = SEEN;
        for (int i = 0; i < seenWords; i++, next += 2) {
            code.visitInsn(LCONST_0);
            code.visitVarInsn(LSTORE, next);
        }
        for (int i = 0; i < locals.length; i++) {
            Type component = local(i);
            locals[i] = next;
            next += component.getSize();
            Object absent = shape.part(i).absent();
            if (absent != null) {
                generated.constant(code, absent, Optional.class);
                code.visitVarInsn(ASTORE, locals[i]);
                continue;
            }
            code.visitInsn(
                    switch (component.getSort()) {
                        case Type.LONG -> LCONST_0;
                        case Type.DOUBLE -> DCONST_0;
                        case Type.FLOAT -> FCONST_0;
                        case Type.OBJECT -> ACONST_NULL;
                        default -> ICONST_0;
                    });
            code.visitVarInsn(component.getOpcode(ISTORE), locals[i]);
        }
    }

    private void field(MethodVisitor code, int index, Label lookUp, Label done) {
        value(code, index);
        code.visitVarInsn(local(index).getOpcode(ISTORE), locals[index]);
        if (seenBits[index] >= 0) {
            int seen = SEEN + seenBits[index] / Long.SIZE * 2;
            code.visitVarInsn(LLOAD, seen);
            code.visitLdcInsn(1L << seenBits[index]);
            code.visitInsn(LOR);
            code.visitVarInsn(LSTORE, seen);
        }
        Label next = new Label();
        if (index + 1 < locals.length) {
            foreseen(code, index + 1, "nextIs");
            code.visitJumpInsn(IFNE, next);
        } else {
            code.visitVarInsn(ALOAD, IN);
            code.visitMethodInsn(INVOKEVIRTUAL, INPUT, "objectEnds", "()Z", false);
            code.visitJumpInsn(IFNE, done);
        }
        code.visitIntInsn(SIPUSH, index + 1);
        code.visitVarInsn(ISTORE, EXPECTED);
        code.visitJumpInsn(GOTO, lookUp);
        code.visitLabel(next);
    }

    /** Puts the value that comes next on the stack. */
    private void value(MethodVisitor code, int index) {
        Class<?> raw = shape.raw(index);
        String from = "(L" + INPUT + ";)";
        if (raw == String.class) {
            code.visitVarInsn(ALOAD, IN);
            String text = Type.getInternalName(JsonText.class);
            code.visitMethodInsn(INVOKESTATIC, text, "readOrNull", from + Type.getDescriptor(String.class), false);
        } else if (raw == boolean.class) {
            code.visitVarInsn(ALOAD, IN);
            code.visitMethodInsn(INVOKEVIRTUAL, INPUT, "readBoolean", "()Z", false);
        } else if (raw.isPrimitive()) {
            code.visitVarInsn(ALOAD, IN);
            String method = "read" + Character.toUpperCase(raw.getName().charAt(0))
                    + raw.getName().substring(1);
            String number = Type.getInternalName(JsonNumber.class);
            code.visitMethodInsn(INVOKESTATIC, number, method, from + Type.getDescriptor(raw), false);
        } else {
            generated.constant(code, values.get(index), ValueReader.class);
            code.visitVarInsn(ALOAD, IN);
            code.visitMethodInsn(INVOKEINTERFACE, VALUE, "read", from + OBJECT, true);
        }
    }

    /** Asks whether the name of a component comes next. */
    private void foreseen(MethodVisitor code, int index, String method) {
        String name = shape.names().get(index);
        if (!FieldNames.plain(name)) {
            code.visitInsn(ICONST_0);
            return;
        }
        byte[] bytes = ('"' + name + "\":").getBytes(StandardCharsets.UTF_8);
        code.visitVarInsn(ALOAD, IN);
        if (bytes.length < Long.BYTES) {
            code.visitLdcInsn(word(bytes, 0));
            code.visitIntInsn(BIPUSH, bytes.length);
            code.visitMethodInsn(INVOKEVIRTUAL, INPUT, method, "(JI)Z", false);
        } else if (bytes.length <= 2 * Long.BYTES) {
            code.visitLdcInsn(word(bytes, 0));
            code.visitLdcInsn(word(bytes, bytes.length - Long.BYTES));
            code.visitIntInsn(BIPUSH, bytes.length);
            code.visitMethodInsn(INVOKEVIRTUAL, INPUT, method, "(JJI)Z", false);
        } else {
            generated.constant(code, bytes, byte[].class);
            code.visitMethodInsn(INVOKEVIRTUAL, INPUT, method, "([B)Z", false);
        }
    }

    private static long word(byte[] bytes, int from) {
        long word = 0;
        for (int i = Math.min(from + Long.BYTES, bytes.length) - 1; i >= from; i--) {
            word = word << 8 | (bytes[i] & 0xff);
        }
        return word;
    }

    /** Throws if something was not read that must be there. */
    private void complete(MethodVisitor code) {
        Label absent = new Label();
        Label present = new Label();
        for (int i = 0; i < seenWords; i++) {
            code.visitVarInsn(LLOAD, SEEN + 2 * i);
            code.visitLdcInsn(i < seenWords - 1 ? -1L : seenInLast);
            code.visitInsn(LCMP);
            code.visitJumpInsn(IFNE, absent);
        }
        for (int i = 0; i < locals.length; i++) {
            if (shape.part(i).required() && !shape.raw(i).isPrimitive()) {
                code.visitVarInsn(ALOAD, locals[i]);
                code.visitJumpInsn(IFNULL, absent);
            }
        }
        code.visitJumpInsn(GOTO, present);
        code.visitLabel(absent);
        readAgain(code);
        code.visitLabel(present);
    }

    /** Something is missing: the plain reader finds out what, and throws. */
    private void readAgain(MethodVisitor code) {
        code.visitVarInsn(ALOAD, IN);
        code.visitVarInsn(ILOAD, BEGIN);
        code.visitFieldInsn(PUTFIELD, INPUT, "position", "I");
        generated.constant(code, new PlainRecordReader(shape, names, values), ValueReader.class);
        code.visitVarInsn(ALOAD, IN);
        code.visitMethodInsn(INVOKEINTERFACE, VALUE, "read", "(L" + INPUT + ";)" + OBJECT, true);
        code.visitInsn(ARETURN);
    }

    private void construct(MethodVisitor code, MethodHandle constructor) {
        Label begin = new Label();
        Label end = new Label();
        Label refused = new Label();
        code.visitTryCatchBlock(begin, end, refused, "java/lang/RuntimeException");
        code.visitLabel(begin);
        generated.constant(code, constructor, MethodHandle.class);
        for (int i = 0; i < locals.length; i++) {
            code.visitVarInsn(local(i).getOpcode(ILOAD), locals[i]);
        }
        code.visitMethodInsn(
                INVOKEVIRTUAL,
                "java/lang/invoke/MethodHandle",
                "invokeExact",
                constructor.type().toMethodDescriptorString(),
                false);
        code.visitLabel(end);
        code.visitInsn(ARETURN);
        code.visitLabel(refused);
        code.visitVarInsn(ALOAD, IN);
        code.visitInsn(SWAP);
        String thrown = Type.getDescriptor(io.thalweg.files.record.MalformedException.class);
        code.visitMethodInsn(INVOKEVIRTUAL, INPUT, "refused", "(Ljava/lang/RuntimeException;)" + thrown, false);
        code.visitInsn(ATHROW);
    }

    private Type local(int index) {
        Class<?> raw = shape.raw(index);
        return Type.getType(raw.isPrimitive() ? raw : Object.class);
    }
}
